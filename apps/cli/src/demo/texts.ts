/** What members of the demo write. */
interface Thread {
  readonly title: string
  readonly category: 'general' | 'patterns' | 'introductions' | 'help-wanted'
  readonly content: string
}

export const THREADS: readonly Thread[] = [
  {
    title: 'Which wool for a first scarf?',
    category: 'general',
    content: 'I have **never** knitted. Merino or something cheaper?\n\n- soft\n- washable\n- not too thin',
  },
  {
    title: 'Show your winter socks',
    category: 'patterns',
    content: 'Mine are done, at last. The heel took *three* tries.',
  },
  {
    title: 'My loom squeaks',
    category: 'help-wanted',
    content: 'It squeaks at every beat. Oil? Wax? Prayer?',
  },
  {
    title: 'Dyeing with walnut',
    category: 'general',
    content: 'Soak the husks for a week, then simmer for an hour. `pH` matters less than patience.',
  },
  {
    title: 'Meet-up in Lisbon',
    category: 'general',
    content: 'Who is there in March? We could share a table at the market.',
  },
  {
    title: 'Чем отличается альпака от мериноса?',
    category: 'general',
    content: 'Хочу связать свитер. Что теплее, и что **не** колется?',
  },
  {
    title: 'Ποιο βελονάκι για δαντέλα;',
    category: 'help-wanted',
    content: 'Δοκίμασα το 1,25 mm και μπλέκεται.',
  },
  { title: 'نمط شال بسيط', category: 'patterns', content: 'أبحث عن نمط شال للمبتدئين. هل لديكم اقتراح؟' },
  { title: '初学者织围巾', category: 'general', content: '请问第一条围巾用什么针法比较好？' },
  { title: 'ऊनी टोपी का नाप', category: 'help-wanted', content: 'बच्चे की टोपी के लिए कितने फंदे डालूँ?' },
  {
    title: 'Blocking without pins',
    category: 'general',
    content: 'A wet towel, a flat table, a night. It works for lace, too.',
  },
  {
    title: 'Is the downloads page slow for you?',
    category: 'help-wanted',
    content: 'It takes ten seconds here, on a good line.',
  },
  {
    title: 'Left-handed knitters',
    category: 'general',
    content: 'Do you mirror patterns, or do you knit as everybody does?',
  },
  {
    title: 'Pattern: a simple cowl',
    category: 'patterns',
    content: '| Round | Stitches |\n| - | - |\n| 1–10 | rib |\n| 11–40 | plain |',
  },
  { title: 'Moths!', category: 'help-wanted', content: 'They got the blue cardigan. **What now?**' },
  { title: 'A thank-you to the Tuesday group', category: 'general', content: 'You saved my sleeve.' },
  {
    title: 'Needles for trains',
    category: 'general',
    content: 'Short circulars. Nobody next to you is stabbed.',
  },
  { title: 'Counting rows', category: 'general', content: 'Clicker, app or pencil?' },
  {
    title: 'The museum’s Jacquard loom',
    category: 'general',
    content: 'Open again since Saturday. Go in the morning.',
  },
  { title: 'Swap: cones of cotton', category: 'general', content: 'Six cones of ecru, for anything green.' },
]

export const COMMENTS = [
  'I had the same. Wax helped.',
  'Take merino, you will not regret it.',
  'Thank you, that was quick!',
  'Не колется, если стирать в холодной воде.',
  'Could you post a picture?',
  'Two rounds more, then it fits.',
  'Δοκίμασε ένα μεγαλύτερο.',
  'I keep a notebook. It has never run out of battery.',
  'شكراً جزيلاً!',
  'What does the label say?',
  '先织平针试试。',
  'In my town they sell it for **half** of that.',
  'Lavender. And patience.',
  'धन्यवाद, यह काम कर गया।',
  'Frogged it twice. Third time was the one.',
  'See the help center, there is an article on it.',
] as const

/** What a moderator has to look at. */
export const HELD = [
  'Hello everybody, I am new here and knit since last week.',
  'Hi! Weaver from the north, happy to be here.',
  'Win big at our casino tonight, free wool for everyone',
  'Привет всем! Вяжу третий год.',
  'Hello, I teach at a school and look for easy patterns.',
  'Cheap pills and casino bonus, write to me',
  'Γεια σας! Είμαι η Ελένη και κεντάω.',
  'New here. What is a gauge?',
] as const

/** What members report. */
export const REPORTED = [
  'You are all doing it wrong, and you should be ashamed.',
  'Buy my course instead of theirs, it is half the price.',
  'This is the address of the person who sold me bad wool.',
  'Nobody asked you.',
  'Same text as yesterday, and I post it again.',
  'I sell needles, write to me, not to the shop.',
] as const

interface Idea {
  readonly title: string
  readonly message: string
  readonly type: 'feature' | 'bug' | 'question' | 'feedback'
}

export const IDEAS: readonly Idea[] = [
  { type: 'feature', title: 'Print patterns on A5', message: 'A4 does not fit into my bag.' },
  { type: 'feature', title: 'A calendar of meet-ups', message: 'With a feed for my phone.' },
  { type: 'bug', title: 'The row counter jumps', message: 'From 19 to 21, every time.' },
  { type: 'feature', title: 'Gift subscriptions', message: 'I would give one to my sister.' },
  { type: 'question', title: 'Can I pause for a month?', message: 'I travel in summer.' },
  { type: 'feature', title: 'Filter patterns by yarn', message: 'I have a lot of lace weight.' },
  {
    type: 'bug',
    title: 'Arabic names are cut off',
    message: 'In the list of the group the last letters are missing.',
  },
  { type: 'feedback', title: 'The new shop is lovely', message: 'Fast, and the pictures are large.' },
  { type: 'feature', title: 'Download all my patterns', message: 'As one file, please.' },
  { type: 'feature', title: 'Offline lessons', message: 'There is no net where I knit.' },
  { type: 'bug', title: 'Certificate without my name', message: 'Only the first letter is printed.' },
  { type: 'question', title: 'Do discounts add up?', message: 'I have two codes.' },
  { type: 'feature', title: 'Subtitles in Greek', message: 'For the first course at least.' },
  { type: 'feedback', title: 'Too many mails', message: 'One a week would be enough.' },
  { type: 'feature', title: 'Yarn calculator', message: 'Meters by size and stitch.' },
  { type: 'bug', title: 'The cart forgets the color', message: 'I chose indigo and got madder.' },
]
