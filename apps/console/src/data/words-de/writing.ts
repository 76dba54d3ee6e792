/** German: what operators write in the name of members. */
export const WRITING: Readonly<Record<string, string>> = {
  'Chosen: {name}': 'Gewählt: {name}',
  'Edit the comment': 'Kommentar bearbeiten',
  'In the name of': 'Im Namen von',
  'It stands under the name of this member. The audit log says that you have written it.':
    'Es steht unter dem Namen dieses Mitglieds. Das Protokoll sagt, dass Sie es geschrieben haben.',
  Reply: 'Antworten',
  'Reply to the comment': 'Auf den Kommentar antworten',
  'Start a discussion': 'Diskussion beginnen',
  'Start the discussion': 'Diskussion beginnen',
  'Write a comment': 'Kommentar schreiben',
}
