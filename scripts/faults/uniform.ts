// `bun scripts/faults/uniform.ts [--rounds 2000]`: known and unknown numbers in turn; do answers or times tell them apart?
import { uniformity } from '../../test/faults/uniform.ts'
import { report, roundsOr } from './report.ts'

const rounds = roundsOr(2000)
for (const { operation, forms, medianMs, gapMs } of await uniformity(rounds))
  report(
    operation,
    { rounds, medianMs, gapMs, form: forms.known[0] },
    {
      'every answer has one form': new Set([...forms.known, ...forms.unknown]).size === 1,
      'the medians are less than 1 ms apart': gapMs < 1,
    },
  )
