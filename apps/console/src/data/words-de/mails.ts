/** German: when each mail is sent, as the API describes its templates, and why an export failed. */
export const MAILS: Readonly<Record<string, string>> = {
  'A bill was paid; sent to the member': 'Eine Rechnung wurde bezahlt; geht an das Mitglied',
  'A member has a new address; the mail is sent to the new address':
    'Ein Mitglied hat eine neue Adresse; die Mail geht an die neue',
  'A member has a new passkey': 'Ein Mitglied hat einen neuen Passkey',
  'A member has deleted their own account': 'Ein Mitglied hat das eigene Konto gelöscht',
  'A member who was created by an operator has accepted the invitation':
    'Ein Mitglied, das ein Operator angelegt hat, hat die Einladung angenommen',
  'A moderator has suspended the member, who can write nothing that others see until it ends':
    'Ein Moderator hat das Mitglied gesperrt, das bis zum Ende der Sperre nichts schreiben kann, was andere sehen',
  'A renewal could not be charged, and will be tried again; sent to the member':
    'Eine Verlängerung konnte nicht abgebucht werden und wird noch einmal versucht; geht an das Mitglied',
  'A subscription has ended because a bill was not paid; sent to the member':
    'Ein Abonnement ist beendet, weil eine Rechnung nicht bezahlt wurde; geht an das Mitglied',
  'A subscription renews in `renewal_notice_days`; sent to the member':
    'Ein Abonnement verlängert sich nach so vielen Tagen, wie unter Zahlungen eingestellt ist; geht an das Mitglied',
  'A trial ends in three days, and a paid period follows; sent to the member':
    'Eine Probezeit endet in drei Tagen, und ein bezahlter Zeitraum folgt; geht an das Mitglied',
  'An endpoint is failing: no delivery has succeeded for 50, 70 or 90 % of five days; sent to operators':
    'Ein Webhook schlägt fehl: Seit 50, 70 oder 90 % von fünf Tagen ist keine Zustellung gelungen; geht an Operatoren',
  'An endpoint was disabled, because it answered 410 or no delivery succeeded for five days; sent to operators':
    'Ein Webhook wurde abgeschaltet, weil er mit 410 antwortete oder fünf Tage lang keine Zustellung gelang; geht an Operatoren',
  'An operator has removed the second factors and passkeys of a member':
    'Ein Operator hat die zweiten Faktoren und Passkeys eines Mitglieds entfernt',
  'An order is refunded, in full or in part': 'Eine Bestellung wird ganz oder zum Teil erstattet',
  'An order was paid': 'Eine Bestellung wurde bezahlt',
  'An order was sent': 'Eine Bestellung wurde verschickt',
  'New notifications that a member wants by mail: replies, mentions, news of feedback and others. One mail has all of them, and a member gets at most one mail an hour':
    'Neue Benachrichtigungen, die ein Mitglied per Mail will: Antworten, Erwähnungen, Neues zu Feedback und andere. Eine Mail enthält alle, und ein Mitglied bekommt höchstens eine in der Stunde',
  'Sent to a member who asked for their data: the archive is complete':
    'Geht an ein Mitglied, das seine Daten angefordert hat: Das Archiv ist fertig',
  'Sent to the member when a bill is due that the member pays by hand':
    'Geht an das Mitglied, wenn eine Rechnung fällig ist, die es von Hand bezahlt',
  'Sent to the member when a bill is overdue that the member pays by hand. The subscription ends if nobody pays the bill':
    'Geht an das Mitglied, wenn eine Rechnung überfällig ist, die es von Hand bezahlt. Das Abonnement endet, wenn sie niemand bezahlt',
  'Sent to the member when a subscription ends before its bill was paid by hand. The bill is reduced to the used time':
    'Geht an das Mitglied, wenn ein Abonnement endet, bevor seine Rechnung von Hand bezahlt wurde. Die Rechnung wird auf die genutzte Zeit gekürzt',
  'Somebody has forgotten their password': 'Jemand hat das Passwort vergessen',
  'Somebody is invited to become a member': 'Jemand wird eingeladen, Mitglied zu werden',
  'Somebody of the team has logged in as the member for 15 minutes':
    'Jemand aus dem Team hat sich für 15 Minuten als das Mitglied angemeldet',
  'Somebody signed up with the address of a member':
    'Jemand hat sich mit der Adresse eines Mitglieds registriert',
  'Somebody signed up, or asked for this mail again':
    'Jemand hat sich registriert oder diese Mail noch einmal angefordert',
  'Somebody wants to log in without a password': 'Jemand will sich ohne Passwort anmelden',
  'Somebody wants to log in without a password, and the project does not have exactly one URL for a link':
    'Jemand will sich ohne Passwort anmelden, und das Projekt hat nicht genau eine Adresse für einen Link',
  'The address of a member has changed; the mail is sent to the old address':
    'Die Adresse eines Mitglieds ist geändert; die Mail geht an die alte',
  'The data to export was deleted': 'Die Daten wurden vor dem Export gelöscht',
  'The export could not be finished: create a new one':
    'Der Export ist nicht gelungen: Exportieren Sie noch einmal',
  'The export took too long and was stopped': 'Der Export dauerte zu lange und wurde angehalten',
  'The password of a member has changed': 'Das Passwort eines Mitglieds ist geändert',
}
