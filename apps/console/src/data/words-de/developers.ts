/** German: developers: keys, webhooks, requests and mails. */
export const DEVELOPERS: Readonly<Record<string, string>> = {
  '95 % of the answers within': '95 % der Antworten innerhalb von',
  'An event without a member or an order is sent to {url}. Its delivery is shown next.':
    'Ein Ereignis ohne Mitglied und ohne Bestellung geht an {url}. Danach sehen Sie seine Zustellung.',
  'At most 30 days ago': 'Höchstens vor 30 Tagen',
  'Attempts that succeeded': 'Gelungene Versuche',
  'Delivered deliveries': 'Gelungene Zustellungen',
  'Deliveries have the signatures of both secrets for 24 hours. Give your server the new one before they end: later it refuses every delivery.':
    'Zustellungen tragen 24 Stunden lang die Signaturen beider Geheimnisse. Geben Sie Ihrem Server vorher das neue: Danach lehnt er jede Zustellung ab.',
  'Empty: until now': 'Leer: bis jetzt',
  'Events of this time that were never sent, that failed, or that wait are sent now. What was delivered is not sent again.':
    'Ereignisse dieser Zeit, die nie gesendet wurden, scheiterten oder warten, werden jetzt gesendet. Was zugestellt ist, wird nicht noch einmal gesendet.',
  'Failed deliveries': 'Gescheiterte Zustellungen',
  'For one day': 'Einen Tag lang',
  'For one hour': 'Eine Stunde lang',
  'For seven days': 'Sieben Tage lang',
  'Half of the answers within': 'Die Hälfte der Antworten innerhalb von',
  'How long the old key still works': 'Wie lange der alte Schlüssel noch gilt',
  'It ends now': 'Er endet jetzt',
  'Replace the key': 'Schlüssel ersetzen',
  'Replace the secret': 'Geheimnis ersetzen',
  'Replace the secret?': 'Das Geheimnis ersetzen?',
  'Replace {name}': 'Ersetzen: {name}',
  'Replace “{name}”?': '„{name}“ ersetzen?',
  'Send a test': 'Test senden',
  'Send a test?': 'Einen Test senden?',
  'Send missed events': 'Verpasste Ereignisse senden',
  'Send missed events?': 'Verpasste Ereignisse senden?',
  'The last 24 hours': 'Die letzten 24 Stunden',
  'The old key ends by itself after this time. The new key has the same rights.':
    'Der alte Schlüssel endet nach dieser Zeit von selbst. Der neue hat dieselben Rechte.',
  'The oldest waits since': 'Die älteste wartet seit',
  'The secret is replaced': 'Das Geheimnis ist ersetzt',
  'Waiting deliveries': 'Wartende Zustellungen',
  'Whatever uses the old key is refused within a second. The new key has the same rights.':
    'Was den alten Schlüssel benutzt, wird binnen einer Sekunde abgelehnt. Der neue hat dieselben Rechte.',
  '{n} ms': '{n} ms',
  '{percent} % of {attempts}': '{percent} % von {attempts}',
}
