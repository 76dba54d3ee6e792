import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { watchThroughput } from './limits/minimum-throughput.ts'
import type { Slot } from './limits/transfer-slots.ts'

/** Opens a stream and answers what it brings. The slot is given back, too, where the stream cannot be opened. */
export async function streamInSlot(
  reply: FastifyReply,
  slot: Slot,
  open: () => Promise<Readable>,
): Promise<FastifyReply> {
  try {
    return sendStream(reply, await open(), slot)
  } catch (error) {
    slot.release()
    throw error
  }
}

/**
 * Answers what a stream brings. One that fails when a part of it has been sent ends the connection so that no client can
 * take it for the end: the last chunk is never sent, and the connection is reset. So is the connection of a client that
 * takes less than 8 KiB/s while we wait for it.
 * @param slot is given back when the answer is over, however it ends
 */
function sendStream(reply: FastifyReply, stream: Readable, slot: Slot): FastifyReply {
  const { raw } = reply
  stream.once('error', (error) => {
    if (!raw.headersSent || raw.destroyed) return
    reply.log.warn({ err: error }, 'an answer broke off')
    raw.socket?.resetAndDestroy()
  })
  const { socket } = raw
  const endWatch =
    // Answers without a network have no socket to watch.
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
