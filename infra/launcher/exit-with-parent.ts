/**
 * Loaded into every process that the launcher starts: when the launcher is gone, however it ended, the process
 * ends too instead of holding its port for ever.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// A process that has nothing left to do ends, too: the channel alone keeps none alive.
process.channel?.unref()
