/** German: payments and cards that an operator begins for a member, and what changes a subscription. */
export const PAYMENTS: Readonly<Record<string, string>> = {
  'A payment of {amount} is started, or the one that is under way is taken up.':
    'Eine Zahlung über {amount} wird begonnen, oder die laufende wird aufgenommen.',
  Begin: 'Beginnen',
  'From then on the new card is charged, and bills that are overdue are charged at once.':
    'Ab dann wird die neue Karte belastet; überfällige Rechnungen werden sofort belastet.',
  'The script of the provider needs this in the browser of the member, who enters the card there. The present card is charged until then.':
    'Das Skript des Anbieters braucht dies im Browser des Mitglieds, das dort die Karte eingibt. Bis dahin wird die jetzige Karte belastet.',
  'The script of the provider needs this in the browser of the payer, who enters or confirms a card there. The secret is for this payment alone.':
    'Das Skript des Anbieters braucht dies im Browser des Zahlers, der dort eine Karte eingibt oder bestätigt. Das Geheimnis gilt nur für diese Zahlung.',
  'It failed.': 'Sie ist fehlgeschlagen.',
  'It failed: {failure}': 'Sie ist fehlgeschlagen: {failure}',
  'It is not decided yet. Money that is taken by hand is marked as paid when it has arrived.':
    'Sie ist noch nicht entschieden. Geld, das von Hand eingenommen wird, markieren Sie als bezahlt, wenn es eingegangen ist.',
  'It is paid.': 'Sie ist bezahlt.',
  'Nothing is charged before the payer enters or confirms a card.':
    'Nichts wird belastet, bevor der Zahler eine Karte eingibt oder bestätigt.',
  'Replace the card': 'Karte ersetzen',
  'Replace the card?': 'Karte ersetzen?',
  'Start a payment': 'Zahlung beginnen',
  'Start a payment?': 'Zahlung beginnen?',
  'Start the payment': 'Zahlung beginnen',
  'The card waits for the member': 'Die Karte wartet auf das Mitglied',
  'The member enters the new card in a browser. You never see its number.':
    'Das Mitglied gibt die neue Karte in einem Browser ein. Ihre Nummer sehen Sie nie.',
  'The payment': 'Die Zahlung',
  'The payment waits for the payer': 'Die Zahlung wartet auf den Zahler',
  'There is nothing to pay.': 'Es ist nichts zu zahlen.',
  Beginning: 'Beginn',
  'On its date': 'Zum Termin',
  'Bill paid': 'Rechnung bezahlt',
  'Bill voided': 'Rechnung ungültig gemacht',
  'Charge failed': 'Abbuchung gescheitert',
  Cancellation: 'Kündigung',
  Paused: 'Pausiert',
  Resumed: 'Fortgesetzt',
  'Member deleted': 'Mitglied gelöscht',
  'Member restored': 'Mitglied wiederhergestellt',
}
