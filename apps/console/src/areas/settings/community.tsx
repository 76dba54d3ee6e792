import { t } from '../../data/words.ts'
import { Checkboxes } from '../../ui/checkboxes/checkboxes.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The parts of a profile. */
const partNames = (): Readonly<Record<string, string>> => ({
  avatar_url: t('Picture'),
  bio: t('Description'),
  badges: t('Badges'),
  member_since: t('Member since'),
})

/** What profiles show, who moderates, and where pages of the site are. */
export function CommunitySettings() {
  const place = t('With {id} for its id. Mails lead there.', { id: '{id}' })
  return (
    <Page title={t('Profiles and moderation')}>
      <Section title={t('Profiles')}>
        <SettingsForm
          fields={['display_name_from', 'profile_fields', 'profiles_public']}
          labels={{
            display_name_from: t('Name of members without a display name'),
            profile_fields: t('What profiles show besides the name'),
            profiles_public: t('Visitors without a log-in see profiles'),
          }}
          controls={{
            profile_fields: ({ label, value, onChange, error }) => (
              <Checkboxes
                {...{ label, onChange, error }}
                options={Object.keys(partNames())}
                titleOf={(part) => partNames()[part] ?? part}
                chosen={value as readonly string[]}
              />
            ),
            display_name_from: {
              options: [
                { id: 'none', name: t('“Member” and four letters') },
                { id: 'full_name', name: t('Their full name') },
              ],
            },
          }}
        />
      </Section>
      <Section title={t('Moderation')}>
        <SettingsForm
          fields={['moderator_roles', 'report_threshold']}
          labels={{
            moderator_roles: t('Roles of moderators'),
            report_threshold: t('Reports that hide a post'),
          }}
          descriptions={{
            report_threshold: t('After so many reports a post is hidden until a moderator decides.'),
          }}
        />
      </Section>
      <Section title={t('Pages of your site')}>
        <SettingsForm
          fields={['discussion_url', 'feedback_url', 'certificate_url']}
          labels={{
            discussion_url: t('Page of a discussion'),
            feedback_url: t('Page of an item of feedback'),
            certificate_url: t('Page that verifies a certificate'),
          }}
          descriptions={{
            discussion_url: place,
            feedback_url: place,
            certificate_url: t('With {code} for its code. Without it a page of Guildhall does.', {
              code: '{code}',
            }),
          }}
        />
      </Section>
    </Page>
  )
}
