import { at, idOf, json, post, type Templates, templateText, type Vendor } from './request.ts'

export type WhatsappCloudSettings = {
  readonly url: string
  readonly version: string
  readonly phoneNumberId: string
  readonly token: string
  readonly templates: Templates
}

/**
 * Meta's WhatsApp Cloud API: every message is an approved template in French or English. A code goes by the
 * authentication template, whose copy-code button takes the code a second time; news is the one parameter of a utility template.
 */
export const whatsappCloud = (s: WhatsappCloudSettings): Vendor => ({
  name: 'whatsapp-cloud',
  channels: ['WHATSAPP'],
  send({ to, code, text, locale }) {
    const parameters = [{ type: 'text', text: code ?? templateText(text) }]
    const body = { type: 'body', parameters }
    const template = {
      name: code === undefined ? s.templates.news : s.templates.code,
      language: { code: locale },
      components: code === undefined ? [body] : [body, { type: 'button', sub_type: 'url', index: '0', parameters }],
    }
    return post(
      {
        url: `${s.url}/${s.version}/${s.phoneNumberId}/messages`,
        headers: { ...json, authorization: `Bearer ${s.token}` },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to,
          type: 'template',
          template,
        }),
      },
      (answer) => {
        const vendorMessageId = idOf(at(answer, 'messages.0.id'))
        return vendorMessageId === undefined ? undefined : { took: true, vendorMessageId }
      },
    )
  },
})
