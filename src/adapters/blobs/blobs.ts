import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openBucket } from '../s3.ts'
import { diskBlobs } from './disk.ts'
import type { Blobs } from './port.ts'
import { floorOf, papersFloorOf } from './room.ts'
import { s3Blobs } from './s3.ts'

/** Where files are kept: uploads in `media`, generated papers in `documents`. */
export type Kind = 'media' | 'documents'
export type Keeping = Pick<Config, 'dataDir' | 'files'>

/** The bucket of a kind; undefined where files lie in the data folder. */
export const bucketOf = ({ files }: Pick<Keeping, 'files'>, kind: Kind) =>
  files && openBucket(`${files.to.replace(/\/$/, '')}/${kind}`, files.s3)

/** The storage of a kind by the settings: the data folder, or a bucket with copies in the data folder. */
export function openBlobs(config: Keeping, kind: Kind): Blobs {
  const floor = kind === 'documents' ? papersFloorOf : floorOf
  const own = diskBlobs(join(config.dataDir, kind), { floor })
  const bucket = bucketOf(config, kind)
  if (!bucket) return own
  const cacheFolder = join(config.dataDir, 'cache', kind)
  return s3Blobs(bucket, { cache: diskBlobs(cacheFolder, { floor }), cacheFolder, before: own })
}
