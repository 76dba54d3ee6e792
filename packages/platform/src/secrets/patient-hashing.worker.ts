// The same in a thread that gives way to the one that serves requests.
import { giveWay } from '../threads/low-priority.ts'
import hashing from './hashing.worker.ts'

giveWay()

export default hashing
