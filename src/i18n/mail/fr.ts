import type { MailTexts } from './en.ts'

export const fr: MailTexts = {
  greeting: 'Bonjour {name},',
  greetingWithoutName: 'Bonjour,',
  sentBy: 'Envoyé par {sender}.',
  footer: 'Envoyé avec Countersign pour le compte de {organisation}.',

  invitationSubject: '{organisation} : merci de signer « {subject} »',
  invitationHeadline: '{organisation} vous demande de signer « {subject} ».',
  reminderSubject: 'Rappel de {organisation} : « {subject} » attend votre signature',
  reminderHeadline: '{organisation} attend toujours votre signature pour « {subject} ».',
  deadline: 'Vous pouvez signer jusqu’au {deadline}.',
  signButton: 'Lire et signer',
  howToDecline:
    'Si vous ne souhaitez pas signer, ouvrez la même page et choisissez « Refuser de signer ». Vous pourrez indiquer pourquoi.',
  linkIsYours: 'Ce lien vous est réservé. Merci de ne pas transférer ce message.',
  reportLink: 'Vous ne connaissez pas l’expéditeur ? Signalez ce message',
  copyAddress: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',

  realTitle: 'Comment savoir que ce message est authentique',
  realAddress: 'Le lien mène à {host}. Votre navigateur affiche exactement ce nom une fois la page ouverte.',
  realNothingElse: 'Il n’y a aucune pièce jointe, et on ne vous demandera jamais de mot de passe ni d’argent.',
  realInDoubt: 'En cas de doute, demandez d’abord à {organisation}, par un moyen que vous connaissez déjà.',

  codeSubject: '{organisation} : votre code à usage unique',
  codeHeadline: 'Saisissez ce code sur la page que vous avez ouverte :',
  codeExpires: 'Il fonctionne une seule fois, jusqu’à {time}.',
  codeForYou: 'Ne le communiquez à personne, pas même à quelqu’un qui dit travailler pour {organisation}.',
  codeNotAsked: 'Si vous n’avez pas demandé de code, vous n’avez rien à faire.',

  canceledSubject: '{organisation} : « {subject} » n’est plus à signer',
  canceledHeadline: '{organisation} a retiré « {subject} ».',
  declinedHeadline: '« {subject} » de {organisation} a pris fin, car une personne a refusé de signer.',
  expiredHeadline: '« {subject} » de {organisation} a expiré, car tout le monde n’a pas signé à temps.',
  reason: 'Motif : {reason}',
  nothingToDo: 'Vous n’avez rien à faire. Votre lien personnel ne fonctionne plus.',

  completedSubject: '{organisation} : « {subject} » est signé',
  completedHeadline: 'Toutes les signatures nécessaires pour « {subject} » sont là, et les documents sont scellés.',
  completedCopy: 'Si vous avez besoin d’une copie des documents signés, demandez-la à {organisation}.',
  downloadButton: 'Télécharger les documents',

  accountSubject: '{organisation} vous invite sur Countersign',
  accountHeadline: '{organisation} a créé un compte pour vous.',
  accountNext: 'Choisissez un mot de passe pour commencer. Le lien fonctionne jusqu’au {deadline}.',
  resetSubject: 'Choisissez un nouveau mot de passe pour Countersign',
  resetHeadline: 'Un nouveau mot de passe a été demandé pour votre compte chez {organisation}.',
  resetNext:
    'Choisissez-le avec ce lien, qui fonctionne jusqu’au {deadline}. Si ce n’était pas vous, ne faites rien : votre mot de passe ne change pas.',
  passwordButton: 'Choisir un mot de passe',

  webhookSubject: '{organisation} : un webhook a été désactivé',
  webhookHeadline: 'Countersign n’envoie plus « {eventType} » à {host}.',
  webhookGone: 'Le destinataire a répondu qu’il n’existe plus (410).',
  webhookFailing: 'Pendant cinq jours, chaque tentative a échoué.',
  webhookNext:
    'Rien n’est perdu : dès que le destinataire fonctionne à nouveau, reprenez l’abonnement et faites renvoyer ce qui s’est passé entre-temps.',
  webhookId: 'Abonnement : {id}',

  smsInvitation: '{organisation} vous demande de signer « {subject} » : {url}',
  smsReminder: 'Rappel : {organisation} attend votre signature pour « {subject} » : {url}',
  smsDeadline: 'Jusqu’au {deadline}.',
  smsCode: '{code} est votre code pour {organisation}. Il est valable jusqu’à {time}. Ne le communiquez à personne.',
  smsEnded: '« {subject} » de {organisation} n’est plus à signer.',
  smsCompleted: '« {subject} » de {organisation} est signé.',
}
