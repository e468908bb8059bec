import type { Interaction } from 'oidc-provider'
import type { Db } from '../../../../../db/open.ts'
import type { PageContext } from '../pages/pages.ts'
import { type AccountRow, liveAccount } from '../rows/users.ts'
import { askPage, codesPage, type FactorForm, setupPage } from './factor-pages.ts'
import type { FactorText } from './factor-texts.ts'
import type { Factors, SecondWay } from './factors.ts'

/** Whether an authorization request requires a second factor (`acr_values`, RFC 9470). */
export const asksSecondFactor = (acrValues: unknown): boolean =>
  typeof acrValues === 'string' && acrValues.split(' ').includes('2') && !acrValues.split(' ').includes('1')

/** The second step must follow within ten minutes of the password. */
const PATIENCE_SECONDS = 600
const seconds = (): number => Math.floor(Date.now() / 1000)

/**
 * What an interaction stores between password and second step: the account, when the password was entered, since when
 * that password is in force (it tells two changes in one second apart), and how the step was passed.
 */
type State = {
  readonly accountId: string
  readonly since: number
  readonly password: string
  readonly passedBy?: string
}

/** The account whose password was right, and the time of that password. */
export type Proved = Pick<AccountRow, 'id' | 'changedAt'>

export type Step =
  | { readonly next: 'page'; readonly status: number; readonly page: string; readonly script: boolean }
  | { readonly next: 'signed-in'; readonly account: Proved; readonly amr: string[] }
  | { readonly next: 'password' }

export function createSecondStep({ db, factors }: { readonly db: Db; readonly factors: Factors }) {
  function stateOf({ result, prompt, session }: Interaction): State | undefined {
    const saved = result?.second
    if (typeof saved === 'object' && saved !== null) {
      const { accountId, since, password, passedBy } = saved as Partial<Record<keyof State, unknown>>
      if (typeof accountId !== 'string' || typeof since !== 'number' || typeof password !== 'string') return undefined
      return { accountId, since, password, ...(typeof passedBy === 'string' ? { passedBy } : {}) }
    }
    // A session that lacks only the second factor asks for it alone; a person without a factor enters the password
    // first.
    const accountId = prompt.reasons.join() === 'second_factor' ? session?.accountId : undefined
    const account = accountId !== undefined && factors.has(accountId) ? liveAccount(db, accountId) : undefined
    return account && { accountId: account.id, since: seconds(), password: account.changedAt }
  }

  async function pageOf(key: string, account: AccountRow, page: PageContext, form: FactorForm, status = 200) {
    if (factors.has(account.id)) {
      const passkey = await factors.passkeyToAsk(key, account)
      return pageStep(status, askPage(page, { ...form, passkey }), passkey)
    }
    const passkey = await factors.passkeyToMake(key, account)
    return pageStep(status, setupPage(page, { ...form, passkey }, factors.offered(key, account)), passkey)
  }
  const pageStep = (status: number, page: string, passkey: unknown): Step => ({
    next: 'page',
    status,
    page,
    script: passkey !== undefined,
  })

  return {
    /** Called after the right password: decides whether a second step follows, and stores that in the interaction. */
    begin(interaction: Interaction, account: AccountRow): boolean {
      if (!factors.isRequired(account) && !asksSecondFactor(interaction.params.acr_values)) return false
      const state: State = { accountId: account.id, since: seconds(), password: account.changedAt }
      interaction.result = { second: state }
      return true
    },
    waits: (interaction: Interaction): boolean => stateOf(interaction) !== undefined,
    /** One page or answer of the second step; the CSRF token of `posted` was checked. */
    async step(
      interaction: Interaction,
      page: PageContext,
      form: FactorForm,
      posted: URLSearchParams | undefined,
      way: SecondWay,
    ): Promise<Step> {
      const state = stateOf(interaction)
      const account = state && liveAccount(db, state.accountId, state.since)
      const late = !state || state.since + PATIENCE_SECONDS < seconds()
      const changed = account && state.password !== account.changedAt
      if (!account || late || changed || posted?.get('step') === 'restart') {
        interaction.result = { second: {} }
        await interaction.persist()
        return { next: 'password' }
      }
      const key = interaction.uid
      const signedIn = async (by: string): Promise<Step> => {
        await factors.remember(account, way)
        return { next: 'signed-in', account, amr: ['pwd', by, 'mfa'] }
      }
      if (state.passedBy !== undefined) return signedIn(state.passedBy)
      const failed = (error: FactorText, status = 200) => pageOf(key, account, page, { ...form, error }, status)
      const keepSession = interaction.session?.uid
      const typed = posted?.get('code') ?? ''
      const answer = posted?.get('answer') ?? ''
      /** The first factor counts for this sign-in once its recovery codes were shown. */
      const setUp = async (by: string, codes: readonly string[] | undefined, error: FactorText): Promise<Step> => {
        if (!codes) return failed(error)
        interaction.result = { second: { ...state, passedBy: by } }
        await interaction.persist()
        return pageStep(200, codesPage(page, form, codes), undefined)
      }
      const has = factors.has(account.id)
      switch (posted?.get('step')) {
        case 'code': {
          if (!has) return pageOf(key, account, page, form)
          const outcome = await factors.checkCode(account, typed, way)
          if (outcome === 'taken') return signedIn('otp')
          return outcome === 'locked' ? failed('locked', 429) : failed('wrongCode')
        }
        case 'passkey':
          return (await factors.checkPasskey(key, account, answer)) ? signedIn('pop') : failed('failedPasskey')
        // A person with a factor must use it; only one without may set one up with the password alone.
        case 'app':
          if (has) return pageOf(key, account, page, form)
          return setUp('otp', await factors.addApp(key, account, typed, keepSession), 'wrongSetup')
        case 'new-passkey':
          if (has) return pageOf(key, account, page, form)
          return setUp('pop', await factors.addPasskey(key, account, answer, keepSession), 'notAdded')
        default:
          return pageOf(key, account, page, form)
      }
    },
  }
}
export type SecondStep = ReturnType<typeof createSecondStep>
