/** German: texts of the parts in `ui`. */
export const PARTS: Readonly<Record<string, string>> = {
  Add: 'Hinzufügen',
  'Add: {name}': 'Hinzufügen: {name}',
  'Discard changes': 'Änderungen verwerfen',
  'Discard the draft': 'Entwurf verwerfen',
  'Go on with the draft': 'Mit dem Entwurf weitermachen',
  'Keep editing': 'Weiter bearbeiten',
  'Keep mine: {value}': 'Meines behalten: {value}',
  'Move up: {name}': 'Nach oben: {name}',
  No: 'Nein',
  'Remove: {name}': 'Entfernen: {name}',
  'Somebody else has changed this. Nothing of yours is saved yet.':
    'Jemand anderes hat das geändert. Von Ihnen ist noch nichts gespeichert.',
  'Take theirs: {value}': 'Das andere übernehmen: {value}',
  'There are changes that are not saved': 'Es gibt Änderungen, die nicht gespeichert sind',
  'There is a draft of yours that was not saved:':
    'Es gibt einen Entwurf von Ihnen, der nicht gespeichert wurde:',
  'This is needed': 'Das wird gebraucht',
  'This is not a number': 'Das ist keine Zahl',
  'What you have typed here is lost.': 'Was Sie hier getippt haben, geht verloren.',
  'What you have typed stays in this tab as a draft, which is offered when you come back.':
    'Was Sie getippt haben, bleibt in diesem Tab als Entwurf, der Ihnen beim nächsten Mal angeboten wird.',
  Yes: 'Ja',
}
