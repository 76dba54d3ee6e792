/** German: what operators write in the name of members. */
export const WRITING: Readonly<Record<string, string>> = {
  'A file of such an export. It is tried first: you see its faults before anything is created.':
    'Eine Datei eines solchen Exports. Sie wird zuerst probiert: Sie sehen ihre Fehler, bevor etwas angelegt wird.',
  'All that members have written, one thing a line, with the files of posts and the addresses of authors.':
    'Alles, was Mitglieder geschrieben haben, je eine Zeile, mit den Dateien der Beiträge und den Adressen der Verfasser.',
  'Chosen: {name}': 'Gewählt: {name}',
  'Edit the comment': 'Kommentar bearbeiten',
  'Export and import': 'Export und Import',
  'Download the new ids': 'Neue IDs herunterladen',
  'Export the community': 'Community exportieren',
  'Faulty lines': 'Fehlerhafte Zeilen',
  'Import {count} {count:line|lines}': '{count} {count:Zeile|Zeilen} importieren',
  'In the name of': 'Im Namen von',
  'It stands under the name of this member. The audit log says that you have written it.':
    'Es steht unter dem Namen dieses Mitglieds. Das Protokoll sagt, dass Sie es geschrieben haben.',
  Line: 'Zeile',
  'Owners and admins of the project export and import':
    'Eigentümer und Admins des Projekts exportieren und importieren',
  Reply: 'Antworten',
  'Reply to the comment': 'Auf den Kommentar antworten',
  'Some ids of the file were taken. A file says which new ids and addresses stand for them.':
    'Einige IDs der Datei waren vergeben. Eine Datei sagt, welche neuen IDs und Adressen für sie stehen.',
  'Start a discussion': 'Diskussion beginnen',
  'Start the discussion': 'Diskussion beginnen',
  'Try a file': 'Datei probieren',
  'Uploading …': 'Wird hochgeladen …',
  'What is wrong': 'Was falsch ist',
  'Would be created': 'Würde angelegt',
  'Write a comment': 'Kommentar schreiben',
}
