/** German: what the forms of lessons and courses say. */
export const LESSONS: Readonly<Record<string, string>> = {
  'A tag such as en or de-AT': 'Ein Kürzel wie en oder de-AT',
  Captions: 'Untertitel',
  'File in the format WebVTT': 'Datei im Format WebVTT',
  Lesson: 'Lektion',
  Picture: 'Bild',
  'Upload a file: {name}': 'Datei hochladen: {name}',
  'Use no file: {name}': 'Keine Datei verwenden: {name}',
  'What viewers choose by, such as “English”': 'Wonach Zuschauer wählen, etwa „Deutsch“',
}
