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
  Close: 'Schließen',
  'Prove that it is you': 'Zeigen Sie, dass Sie es sind',
  'Taken back: {text}': 'Zurückgenommen: {text}',
  'This is another text': 'Das ist ein anderer Text',
  'This needs a log-in of the last 10 minutes. It is done as soon as you have logged in.':
    'Das braucht eine Anmeldung der letzten 10 Minuten. Es geschieht, sobald Sie sich angemeldet haben.',
  'To go on, type: {word}': 'Zum Fortfahren tippen: {word}',
  Undo: 'Rückgängig',
  'What was just done': 'Was gerade geschah',
  'Create a webhook': 'Webhook anlegen',
  'Create the webhook': 'Webhook anlegen',
  'The webhook is made': 'Der Webhook ist angelegt',
  'Your server checks with this secret that deliveries come from here.':
    'Ihr Server prüft mit diesem Geheimnis, dass Zustellungen von hier kommen.',
  'Edit the webhook': 'Webhook bearbeiten',
  'The webhook was disabled': 'Der Webhook wurde abgeschaltet',
  Disable: 'Abschalten',
  Enable: 'Einschalten',
  Delete: 'Löschen',
  'Delete the webhook?': 'Den Webhook löschen?',
  'Its deliveries and its secret go with it. Your server receives nothing more of it.':
    'Seine Zustellungen und sein Geheimnis gehen mit. Ihr Server erhält nichts mehr davon.',
  'In the order of events': 'In der Reihenfolge der Ereignisse',
  'Types such as “order.paid”, groups such as “form.*”, or “*” for all':
    'Arten wie „order.paid“, Gruppen wie „form.*“, oder „*“ für alle',
}
