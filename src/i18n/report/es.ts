import type { ReportTexts } from './en.ts'

export const es: ReportTexts = {
  title: 'Denunciar este mensaje',
  when: 'Denúncielo si no conoce al remitente o si cree que el mensaje quiere engañarle.',
  what: 'El operador de este servicio y los administradores de la organización del remitente verán su denuncia, y usted no recibirá más mensajes sobre esta solicitud.',
  button: 'Denunciar el mensaje',
  open: 'Conozco al remitente, abrir la solicitud',
  doneTitle: 'Denunciado',
  doneText: 'Gracias. No recibirá más mensajes sobre esta solicitud.',
  doneNext: 'No tiene que hacer nada más. No abra documentos de un remitente en quien no confíe.',
}
