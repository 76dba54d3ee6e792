import type { Stories } from '../ui/story.ts'
import { UndoToasts } from '../ui/undo-toast/undo-toasts.tsx'
import styles from './stories.module.css'

const found = import.meta.glob<{ readonly stories: Stories }>('../ui/*/*.story.tsx', { eager: true })

/** All parts in all their states, for people who work on them. A build has it only with `VITE_STORIES=on`. */
export function StoriesPage() {
  return (
    <main id="screen" className={styles.page}>
      <h1>Parts of the console</h1>
      {Object.entries(found).map(([path, { stories }]) => {
        const part = path.split('/').at(-2) ?? path
        return (
          <section key={path} id={part} className={styles.part}>
            <h2>{part}</h2>
            {Object.entries(stories).map(([name, Story]) => (
              <div key={name} className={styles.story}>
                <p>{name}</p>
                <div>
                  <Story />
                </div>
              </div>
            ))}
          </section>
        )
      })}
      <UndoToasts />
    </main>
  )
}
