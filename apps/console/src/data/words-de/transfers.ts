/** German: whole projects that are exported, imported and moved. */
export const TRANSFERS: Readonly<Record<string, string>> = {
  'An archive of both sides with all rows and files, for another installation or to keep.':
    'Ein Archiv beider Seiten mit allen Zeilen und Dateien, für eine andere Installation oder zum Aufbewahren.',
  analytics: 'Analysen',
  bills: 'Rechnungen',
  'Download {name}': '{name} herunterladen',
  'Export the project': 'Projekt exportieren',
  'Past exports': 'Frühere Exporte',
  'Exports of the project': 'Exporte des Projekts',
  feedback: 'Feedback',
  'File until': 'Verfügbar bis',
  'form submissions': 'Formulareinsendungen',
  'member data': 'Daten von Mitgliedern',
  'Nothing was exported in the last month': 'Im letzten Monat wurde nichts exportiert',
  orders: 'Bestellungen',
  'Owners and admins of the project see exports': 'Eigentümer und Admins des Projekts sehen Exporte',
  Passphrase: 'Passphrase',
  subscriptions: 'Abonnements',
  'The button “Export” of orders, bills, subscriptions, feedback, analytics and forms makes a file.':
    'Der Knopf „Exportieren“ bei Bestellungen, Rechnungen, Abonnements, Feedback, Analysen und Formularen erzeugt eine Datei.',
  'The file is gone. Export it again.': 'Die Datei ist weg. Exportieren Sie sie noch einmal.',
  'The project goes on meanwhile. The archive is kept for 7 days.':
    'Das Projekt läuft dabei weiter. Das Archiv wird 7 Tage aufbewahrt.',
  'At least 12 characters. Secrets are sealed with it in the archive: nobody can import it without the passphrase.':
    'Mindestens 12 Zeichen. Geheimnisse sind damit im Archiv versiegelt: Ohne die Passphrase kann es niemand importieren.',
  'Imports of projects': 'Importe von Projekten',
  Imports: 'Importe',
  'Import a project': 'Projekt importieren',
  Open: 'Öffnen',
  'Choose the archive of an export first.': 'Wählen Sie zuerst das Archiv eines Exports.',
  'The project comes with its ids, and suspended. You become its owner, and resume it.':
    'Das Projekt kommt mit seinen Kennungen und angehalten. Es gehört dann Ihnen, und Sie nehmen es wieder auf.',
  'Choose the archive': 'Archiv wählen',
  'The one that the export was made with.': 'Die, mit der der Export gemacht wurde.',
  'The storage did not take the archive. Try again.':
    'Der Speicher hat das Archiv nicht angenommen. Versuchen Sie es noch einmal.',
  uploading: 'wird hochgeladen',
  Check: 'Prüfen',
  Result: 'Ergebnis',
  Ready: 'Bereit',
  'Not ready': 'Nicht bereit',
  'Another installation takes over the project while it is used. Keys and sessions go on.':
    'Eine andere Installation übernimmt das Projekt, während es benutzt wird. Schlüssel und Sitzungen gelten weiter.',
  'No other installation is known. Add one with: guildhall cell add':
    'Keine andere Installation ist bekannt. Fügen Sie eine hinzu mit: guildhall cell add',
  'Other installation': 'Andere Installation',
  '{name} (no worker can reach it)': '{name} (kein Worker erreicht sie)',
  'Check the move': 'Umzug prüfen',
  'Move the project': 'Projekt umziehen',
  'Move {name}?': '{name} umziehen?',
  'A worker says what stands in the way and how much there is to copy. Nothing is changed.':
    'Ein Worker sagt, was im Weg steht und wie viel zu kopieren ist. Nichts wird geändert.',
  'Writes wait for some seconds. The copy here is kept for a day. Check the move first.':
    'Schreibzugriffe warten einige Sekunden. Die Kopie hier bleibt einen Tag. Prüfen Sie den Umzug zuerst.',
  'Moves of the project': 'Umzüge des Projekts',
  '{rows} of {all}': '{rows} von {all}',
  '{rows} {rows:row|rows}; writes waited for {seconds} s':
    '{rows} {rows:Zeile|Zeilen}; Schreibzugriffe warteten {seconds} s',
  '{size} of files to copy': '{size} an Dateien zu kopieren',
  'Move to another installation': 'Umzug in eine andere Installation',
  'upload pending': 'Upload steht aus',
  Free: 'Kostenlos',
}
