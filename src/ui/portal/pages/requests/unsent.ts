// Words about repairs and messages that were not sent yet, or were refused.
import { isLost, isMessage, type Message, type Report } from '../../offline.ts'
import { words } from './words.ts'

export function sayUnsent(item: Report | Message): string {
  const { t } = words
  const text = isMessage(item) ? item.text : item.repair.title
  if (item.bare) return t.bare(text)
  if (item.refused !== undefined) return t.refused(text, item.refused)
  if (!isLost(item)) return t.queued(text)
  return isMessage(item) ? t.lostMessage(text) : t.lost(text)
}
