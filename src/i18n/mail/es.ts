import type { MailTexts } from './en.ts'

export const es: MailTexts = {
  greeting: 'Hola, {name}:',
  greetingWithoutName: 'Hola:',
  sentBy: 'Enviado por {sender}.',
  footer: 'Enviado con Countersign en nombre de {organisation}.',

  invitationSubject: '{organisation}: firme «{subject}», por favor',
  invitationHeadline: '{organisation} le pide que firme «{subject}».',
  reminderSubject: 'Recordatorio de {organisation}: «{subject}» espera su firma',
  reminderHeadline: '{organisation} sigue esperando su firma en «{subject}».',
  deadline: 'Puede firmar hasta el {deadline}.',
  signButton: 'Leer y firmar',
  howToDecline: 'Si no desea firmar, abra la misma página y elija «Rechazar la firma». Podrá indicar el motivo.',
  linkIsYours: 'El enlace es solo para usted. No reenvíe este mensaje.',
  reportLink: '¿No conoce al remitente? Denuncie este mensaje',
  copyAddress: 'Si el botón no funciona, copie esta dirección en su navegador:',

  realTitle: 'Cómo saber que este mensaje es auténtico',
  realAddress: 'El enlace lleva a {host}. Su navegador muestra exactamente ese nombre cuando la página está abierta.',
  realNothingElse: 'No hay archivos adjuntos y nunca se le pedirá una contraseña ni dinero.',
  realInDoubt: 'En caso de duda, pregunte antes a {organisation} por un medio que ya conozca.',

  codeSubject: '{organisation}: su código de un solo uso',
  codeHeadline: 'Introduzca este código en la página que tiene abierta:',
  codeExpires: 'Funciona una sola vez, hasta las {time}.',
  codeForYou: 'No se lo diga a nadie, ni siquiera a quien diga trabajar para {organisation}.',
  codeNotAsked: 'Si no ha pedido ningún código, no tiene que hacer nada.',

  canceledSubject: '{organisation}: ya no hace falta firmar «{subject}»',
  canceledHeadline: '{organisation} ha retirado «{subject}».',
  declinedHeadline: '«{subject}» de {organisation} ha terminado porque alguien rechazó firmar.',
  expiredHeadline: '«{subject}» de {organisation} ha caducado porque no todos firmaron a tiempo.',
  reason: 'Motivo: {reason}',
  nothingToDo: 'No tiene que hacer nada. Su enlace personal ya no funciona.',

  completedSubject: '{organisation}: «{subject}» está firmado',
  completedHeadline: 'Ya están todas las firmas necesarias de «{subject}» y los documentos están sellados.',
  completedCopy: 'Si necesita una copia de los documentos firmados, pídasela a {organisation}.',
  downloadButton: 'Descargar los documentos',

  accountSubject: '{organisation} le invita a Countersign',
  accountHeadline: '{organisation} ha creado una cuenta para usted.',
  accountNext: 'Elija una contraseña para empezar. El enlace funciona hasta el {deadline}.',
  resetSubject: 'Elija una nueva contraseña para Countersign',
  resetHeadline: 'Alguien ha pedido una nueva contraseña para su cuenta en {organisation}.',
  resetNext:
    'Elíjala con este enlace, que funciona hasta el {deadline}. Si no fue usted, no haga nada: su contraseña no cambia.',
  passwordButton: 'Elegir una contraseña',

  webhookSubject: '{organisation}: se ha desactivado un webhook',
  webhookHeadline: 'Countersign ha dejado de enviar «{eventType}» a {host}.',
  webhookGone: 'El receptor respondió que ya no existe (410).',
  webhookFailing: 'Durante cinco días han fallado todos los intentos.',
  webhookNext:
    'No se ha perdido nada: cuando el receptor vuelva a funcionar, reanude la suscripción y reenvíe lo ocurrido entretanto.',
  webhookId: 'Suscripción: {id}',

  smsInvitation: '{organisation} le pide que firme «{subject}»: {url}',
  smsReminder: 'Recordatorio: {organisation} espera su firma en «{subject}»: {url}',
  smsDeadline: 'Hasta el {deadline}.',
  smsCode: '{code} es su código para {organisation}. Funciona hasta las {time}. No se lo diga a nadie.',
  smsEnded: 'Ya no hace falta firmar «{subject}» de {organisation}.',
  smsCompleted: '«{subject}» de {organisation} está firmado.',
}
