import type { Calculation } from '../../core/charge-calculation.ts'
import type { AccountAmounts, OwnerAmounts } from '../../core/owner-amounts.ts'

/** The data of documents: plain JSON, taken at the event and frozen with the document. Amounts are whole francs. */
type Locale = 'fr' | 'en'

export type Party = {
  readonly name: string
  readonly phoneNumber?: string | undefined
  readonly address?: string | undefined
  readonly idType?: string | undefined
  readonly idNumber?: string | undefined
  readonly niu?: string | undefined
  readonly rccm?: string | undefined
  /** Who signs for a company. */
  readonly representative?: { readonly name: string; readonly role?: string | undefined } | undefined
}
export type Premises = {
  readonly propertyName: string
  readonly unitLabel: string
  readonly type: string
  readonly addressLine: string
  readonly quartier?: string | undefined
  readonly city: string
  readonly province?: string | undefined
  readonly areaSqm?: number | undefined
  readonly bedrooms?: number | undefined
  readonly bathrooms?: number | undefined
}
type Head = {
  readonly locale: Locale
  readonly number: string
  /** Date on which the paper was made out. */
  readonly issuedOn: string
}
/** The landlord: the owner, through the organization where it has a name. */
type Letting = {
  readonly landlord: Party
  readonly agent?: Party | undefined
  readonly tenant: Party
  readonly premises: Premises
  /** The landlord is registered for VAT: without it on a paper, an exemption is claimed. */
  readonly tvaRegistered?: true | undefined
}

/** A paragraph or an entry of a list. */
export type Block = {
  readonly kind: 'paragraph' | 'item'
  readonly runs: readonly { readonly text: string; readonly bold?: boolean | undefined }[]
}
export type Signature = {
  readonly party: 'LANDLORD' | 'TENANT' | 'CO_TENANT' | 'GUARANTOR'
  /** The co-tenant or guarantor who signed. */
  readonly signerId?: string | undefined
  /** The name as the signer typed it. */
  readonly name: string
  /** The landlord, where an agent signed for them. */
  readonly onBehalfOf?: string | undefined
  /** Date-time in UTC. */
  readonly signedAt: string
  /** The proof: channel and masked number of the one-time code, or paper. */
  readonly evidence: string
}
export type LeaseData = Head &
  Letting & {
    readonly coTenants?: readonly (Party & { readonly id: string })[] | undefined
    readonly guarantors?: readonly (Party & { readonly id: string })[] | undefined
    readonly use: 'HOME' | 'BUSINESS'
    /** PROPOSED: out for signing. UNSIGNED: in force, signed on paper if at all. SIGNED: both parties signed electronically. */
    readonly stage: 'PROPOSED' | 'UNSIGNED' | 'SIGNED'
    readonly startDate: string
    readonly endDate?: string | undefined
    readonly autoRenew: boolean
    readonly rentAmount: number
    readonly tvaBasisPoints: number
    readonly tvaAmount: number
    readonly grossAmount: number
    readonly depositAmount?: number | undefined
    readonly dueDay?: number | undefined
    readonly noticeMonths?: number | undefined
    readonly trade?: string | undefined
    readonly reviewClause?: { readonly formula: string; readonly from: string } | undefined
    readonly clauses: readonly { readonly title: string; readonly blocks: readonly Block[] }[]
    readonly clausesVersion: number
    readonly signatures: readonly Signature[]
    /** The time zone of the signatures' times; UTC by default. */
    readonly timeZone?: string | undefined
    /** SHA-256 (hex) of the file that was signed, its number, and the layout it was drawn with. */
    readonly signedSha256?: string | undefined
    readonly signedNumber?: string | undefined
    readonly signedLayout?: number | undefined
  }

type PayWay = {
  readonly method: string
  readonly number?: string | undefined
  readonly holder?: string | undefined
  readonly note?: string | undefined
}
export type InvoiceData = Head &
  Letting & {
    /** Absent if the invoice is of charges alone. */
    readonly periodStart?: string | undefined
    readonly periodEnd?: string | undefined
    /** Absent on a credit note. */
    readonly dueDate?: string | undefined
    /** A credit note: the invoice that it is for, and why. */
    readonly credits?:
      | {
          readonly number: string
          readonly reason: 'CANCELLED' | 'ENDED' | 'REGULARISED' | 'WAIVED'
          /** Of what was waived: the landlord's words. */
          readonly note?: string | undefined
        }
      | undefined
    readonly lines: readonly { readonly label: string; readonly amount: number }[]
    readonly netAmount: number
    readonly tvaBasisPoints: number
    readonly tvaAmount: number
    readonly grossAmount: number
    readonly calculation?: Calculation | undefined
    /** Where it is paid; absent on invoices of earlier versions. */
    readonly payTo?: readonly PayWay[] | undefined
    /** The day on which that changed, if it is recent. */
    readonly payToChangedOn?: string | undefined
  }

/** An invoice that another paper names. */
type Billed = {
  readonly number: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly grossAmount: number
  readonly balanceAmount: number
}

export type ReceiptData = Head &
  Letting & {
    /** Everything that it covers is settled: a quittance; otherwise a receipt for a part. */
    readonly full: boolean
    /** The landlord refunded credit: the tenant signs for it. */
    readonly refund?: true | undefined
    /** Money of the deposit, and what of it is held from then on, in francs; `returned`: the tenant signs for it. */
    readonly deposit?: { readonly returned: boolean; readonly on: string; readonly heldAmount: number } | undefined
    /** Made out after the lease ended: money on no invoice is no advance any more. */
    readonly ended?: true | undefined
    readonly amount: number
    /** The payment; absent where credit of earlier payments settled the invoice. */
    readonly payment?:
      | {
          readonly method: string
          readonly paidOn: string
          readonly reference?: string | undefined
          /** Who paid on the tenant's behalf. */
          readonly payer?: string | undefined
          /** Only for a set-off: the lease whose credit paid. */
          readonly creditOf?: string | undefined
        }
      | undefined
    readonly invoices: readonly (Billed & {
      /** The amount that this receipt acknowledges for the invoice. */
      readonly amount: number
      /** What credit notes took off the invoice, and the part of it that the landlord waived. */
      readonly creditedAmount?: number | undefined
      readonly waivedAmount?: number | undefined
    })[]
    /** The part of the payment that is on no invoice. */
    readonly creditAmount: number
    readonly earlier: readonly { readonly paidOn: string; readonly method: string; readonly amount: number }[]
  }

export type StatementData = Head &
  Letting & {
    readonly startDate: string
    readonly endDate: string
    readonly reason?: string | undefined
    readonly invoices: readonly (Billed & { readonly amountPaid: number; readonly creditedAmount: number })[]
    readonly payments: readonly {
      readonly type: 'PAYMENT' | 'REFUND'
      readonly paidOn: string
      readonly method: string
      readonly reference?: string | undefined
      readonly amount: number
    }[]
    readonly depositAmount?: number | undefined
    /** The ledger of the deposit, oldest first, and what the landlord still holds of it. */
    readonly deposits: readonly {
      readonly type: 'RECEIVED' | 'DEDUCTED' | 'RETURNED'
      readonly paidOn: string
      readonly amount: number
      readonly reason?: string | undefined
      /** It came from the lease before, or went to the one after: nothing was paid. */
      readonly carried?: true | undefined
    }[]
    readonly heldAmount: number
    /** Credit that came from the lease that this one renews. */
    readonly carriedIn?: number | undefined
    /** What went over to the renewal; `lease`: the number of its contract. */
    readonly carriedOut?:
      | { readonly lease?: string | undefined; readonly depositAmount: number; readonly creditAmount: number }
      | undefined
    /** What makes up the balance; absent in statements from earlier versions. */
    readonly account?:
      | {
          readonly receivedAmount: number
          /** Still owed on invoices, and paid on them from the deposit. */
          readonly rentOwedAmount: number
          readonly deductedAmount: number
          readonly returnedAmount: number
        }
      | undefined
    readonly debtAmount: number
    readonly creditAmount: number
  }

/** What one party tells the other while the lease runs: a change of the rent, or the end of the lease. */
export type LeaseNoticeData = Head &
  Letting & {
    readonly leaseStart: string
    readonly reason?: string | undefined
    /** The tenant's, under a rider; empty while it is out for signing, and where it is signed on paper. */
    readonly signatures: readonly Signature[]
    readonly timeZone?: string | undefined
    /** SHA-256 (hex) of the file that was signed. */
    readonly signedSha256?: string | undefined
  } & (
    | {
        readonly subject: 'RENT_CHANGE' | 'RIDER'
        readonly fromDate: string
        readonly previousAmount: number
        readonly rentAmount: number
        readonly tvaBasisPoints: number
        readonly tvaAmount: number
        readonly grossAmount: number
        /** The review clause of the lease that the rise stands on. */
        readonly clause?: { readonly formula: string; readonly from: string } | undefined
        /** Invoices from that day on that were paid at the previous rent, and keep it. */
        readonly paid: readonly Pick<Billed, 'number' | 'periodStart' | 'periodEnd'>[]
      }
    | {
        readonly subject: 'LEAVE'
        readonly by: 'LANDLORD' | 'TENANT'
        readonly givenOn: string
        readonly leaveOn: string
        /** Shorter than the law allows: the lease ends only if both agree. */
        readonly tooShort?: boolean | undefined
        readonly noticeMonths?: number | undefined
        /** The first day that the notice agreed allows. */
        readonly earliestLeaveOn?: string | undefined
      }
  )

type Owed = Billed & { readonly dueDate: string; readonly amountPaid: number }
export type LetterData = Head &
  Letting & {
    /** The demanded invoices, which are past their due date; `totalAmount` is less the deposit that is counted, if any. */
    readonly invoices: readonly Owed[]
    readonly totalAmount: number
    readonly depositAmount?: number
    /** Invoices not due yet: listed, not demanded. */
    readonly coming: readonly Owed[]
    /** Business premises get a month; absent in letters from earlier versions, which all gave eight days. */
    readonly use?: 'HOME' | 'BUSINESS' | undefined
    readonly days: number
    readonly payBefore: string
  }

/** The figures of the moment. It is not stored, so its time is its number, and it has no seal. */
export type OwnerStatementData = Head & {
  readonly landlord: Party
  readonly from: string
  readonly to: string
  readonly properties: readonly {
    readonly name: string
    readonly place: string
    readonly owner: Party
    readonly rows: readonly (OwnerAmounts & { readonly unitLabel: string; readonly tenantName: string })[]
    /** The lines of the account with the owner, in words; their sum is what is still due to them. */
    readonly account: readonly { readonly happenedOn: string; readonly label: string; readonly dueAmount: number }[]
    readonly totals: OwnerAmounts & AccountAmounts
  }[]
  readonly totals: OwnerAmounts & AccountAmounts
}

/** A report as a table with all words and figures formatted; figures of the moment, so it has no seal. */
export type ReportData = Head & {
  readonly title: string
  readonly landlord: Party
  readonly period: { readonly from: string; readonly to: string } | { readonly on: string }
  readonly headline: { readonly label: string; readonly value: string; readonly notes: readonly string[] }
  readonly columns: readonly { readonly label: string; readonly share: number; readonly right: boolean }[]
  readonly groups: readonly {
    readonly heading?: string
    readonly rows: readonly (readonly string[])[]
    readonly totals?: readonly string[]
  }[]
  readonly totals: readonly string[]
  /** Arrears only: sums by age. */
  readonly ages?: { readonly title: string; readonly lines: readonly (readonly string[])[] }
  readonly basis: string
}

/** What a paper says of the state of premises; amounts in francs. */
type InspectionFacts = {
  readonly kind: 'ENTRY' | 'EXIT'
  readonly inspectedOn: string
  readonly rooms: readonly {
    readonly name: string
    readonly items: readonly {
      readonly name: string
      /** The state at the first inspection; absent in that inspection itself, and for what it did not list. */
      readonly before?: string | undefined
      readonly state: string
      readonly note?: string | undefined
      readonly deduction?: number | undefined
      readonly photos: number
    }[]
  }[]
  readonly meters: readonly {
    readonly kind: string
    readonly number?: string | undefined
    readonly reading: number
    readonly before?: number | undefined
  }[]
  readonly keyCount?: number | undefined
  readonly keysBefore?: number | undefined
  readonly note?: string | undefined
  /** Number and date of the inspection that it is compared with. */
  readonly entry?: { readonly number: string; readonly inspectedOn: string } | undefined
  readonly deductionAmount: number
  /** SHA-256 (hex) of each photo, in the order of the rooms. */
  readonly photos: readonly { readonly place: string; readonly sha256: string }[]
  readonly timeZone?: string | undefined
  readonly signedSha256?: string | undefined
  readonly signedNumber?: string | undefined
}

export type InspectionData = Head &
  Letting &
  InspectionFacts & { readonly signatures: readonly (Signature & { readonly remarks?: string | undefined })[] }

export type Papers = {
  readonly inspection: InspectionData
  readonly lease: LeaseData
  readonly invoice: InvoiceData
  readonly receipt: ReceiptData
  readonly statement: StatementData
  readonly letter: LetterData
  readonly leaseNotice: LeaseNoticeData
  readonly ownerStatement: OwnerStatementData
  readonly report: ReportData
}
export type Template = keyof Papers
/** Printed beside the data: where the document can be verified. Absent on a preview, which says so on every page. */
export type Seal = { readonly url: string; readonly dataSha256: string } | null

export type Pdf = {
  /** How many documents are drawn at a time. */
  readonly threads: number
  /** Layout version of each document; increment it with each visible change. */
  readonly versions: Readonly<Record<Template, number>>
  /**
   * Draws one document outside the serving thread; equal data yield equal bytes. @throws overloaded when too many wait;
   * Error when drawing fails or times out
   */
  readonly render: <T extends Template>(template: T, data: Papers[T], seal: Seal) => Promise<Uint8Array<ArrayBuffer>>
  readonly close: () => Promise<void>
}
