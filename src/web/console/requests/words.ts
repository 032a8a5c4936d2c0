import type { ShownRequest } from './shown-request.ts'

type Strength = ShownRequest['signingAuthenticationStrength']
type Delivery = ShownRequest['deliveryMethods'][number]

export const STRENGTH_NAMES: Record<Strength, string> = {
  None: 'The personal link is enough',
  Email: 'A code by e-mail',
  Sms: 'A code by text message',
  Strong: 'An identity provider',
}

export const DELIVERY_NAMES: Record<Delivery, string> = {
  Email: 'E-mail',
  Sms: 'Text message',
  Link: 'A link that you hand over',
}
