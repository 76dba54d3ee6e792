import { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { watchThroughput } from './limits/minimum-throughput.ts'
import { freeSentChunks, PacedDownload } from './limits/paced-download.ts'
import type { Slot } from './limits/transfer-slots.ts'

/** Opens a stream and sends it. The slot is also released if the stream cannot be opened. */
export async function streamInSlot(
  reply: FastifyReply,
  slot: Slot,
  open: () => Promise<Readable>,
): Promise<FastifyReply> {
  try {
    const stream = await open()
    return sendStream(reply, slot.nextTurn ? paced(reply, stream, slot.nextTurn) : stream, slot)
  } catch (error) {
    slot.release()
    throw error
  }
}

function paced(reply: FastifyReply, stream: Readable, nextTurn: () => Promise<void>): Readable {
  freeSentChunks(reply.raw)
  // A failure of one of them is the failure of the other; that of the second is listened to.
  return pipeline(stream, new PacedDownload(nextTurn), () => undefined)
}

/**
 * Sends a stream as the answer. If the stream fails after a part of it was sent, the connection is reset without the
 * last chunk, so that no client takes the part for the whole. The connection is also reset if the client reads less
 * than 8 KiB/s while the server waits for it.
 * @param slot released when the answer is over, however it ends
 */
function sendStream(reply: FastifyReply, stream: Readable, slot: Slot): FastifyReply {
  const { raw } = reply
  stream.once('error', (error) => {
    if (!raw.headersSent || raw.destroyed) return
    reply.log.warn({ err: error }, 'an answer broke off')
    if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
    else raw.destroy(error)
  })
  const { socket } = raw
  const endWatch =
    // Requests that are injected by tests have no socket to watch.
    socket instanceof Socket
      ? watchThroughput({
          windowMs: slot.windowMs,
          bytes: () => socket.bytesWritten - socket.writableLength,
          isWaiting: () => socket.writableLength > 0,
          onSlow: () => stream.destroy(new Error('the client takes less than 8 KiB/s')),
        })
      : () => undefined
  raw.once('close', () => {
    endWatch()
    slot.release()
    stream.destroy()
  })
  return reply.send(stream)
}
