/**
 * The first step of every command: `node infra/bootstrap.mjs <script.ts> [arguments…]`.
 *
 * Plain JavaScript without dependencies, for any Node from 18 on, because it runs before anything is installed
 * and possibly on a Node that cannot run the TypeScript sources. It installs the dependencies when
 * package-lock.json differs from the one last installed, then runs the script: in this process where Node is new
 * enough, in a child on Node 24 from the npm registry where it is not.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { constants as osConstants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NODE_PACKAGE = 'node@24'
const OLDEST_NODE = [22, 19]
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'guildhall')
const INSTALLED = join(ROOT, 'node_modules', '.guildhall-installed')
/** An archive of `npm pack` has it under the other name. */
const LOCK =
  ['package-lock.json', 'npm-shrinkwrap.json']
    .map((name) => join(ROOT, name))
    .find((path) => existsSync(path)) ?? join(ROOT, 'package-lock.json')
const ON_WINDOWS = process.platform === 'win32'

/** Ends the command with one sentence: whoever reads it has no use for a stack trace. */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/** Runs npm in the root. Its output goes to stderr, as a command's stdout belongs to the command. */
function npm(args, stdout) {
  // Inside `npm start` npm names its own script; started by hand, npm is looked up on the PATH.
  const script = process.env.npm_execpath
  const [command, first] =
    script && basename(script).startsWith('npm-cli') ? [process.execPath, [script]] : ['npm', []]
  const stdio = ['ignore', stdout === 'read' ? 'pipe' : 2, 2]
  const shell = ON_WINDOWS && command === 'npm'
  return spawnSync(command, [...first, ...args], { cwd: ROOT, stdio, shell, encoding: 'utf8' })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** One install at a time: two commands started together in a fresh clone must not both write node_modules. */
function withInstallLock(run) {
  const name = createHash('sha256').update(ROOT).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `guildhall-install-${name}`)
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The install lock ${lock} cannot be written: ${error.message}`)
    }
    const holder = Number(readText(lock))
    if (holder && !isAlive(holder)) rmSync(lock, { force: true })
    else sleep(200)
  }
  try {
    return run()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Names what is installed: the lock file's content, and the platform whose native packages were chosen. */
function wantedInstall() {
  const lock = readText(LOCK)
  if (lock === undefined)
    fail(`There is no package-lock.json in ${ROOT}: this is not a checkout of Guildhall.`)
  const hash = createHash('sha256').update(lock).digest('hex')
  return `${process.platform}-${process.arch}-${hash}`
}

/** Whether a package is for every kind of machine, or for this one. */
function isOfThisMachine({ os, cpu }) {
  const fits = (list, own) =>
    !list || list.includes(own) || (list.every((each) => each.startsWith('!')) && !list.includes(`!${own}`))
  return fits(os, process.platform) && fits(cpu, process.arch)
}

/**
 * Says whether an `npm install` by hand has already brought what the lock file names. Installing again would take
 * node_modules away from under everything that runs in this checkout.
 */
function isInstalledByHand() {
  try {
    const { packages: wanted } = JSON.parse(readText(LOCK))
    // npm's own list of what is there, which it writes when an installation is complete.
    const { packages: there } = JSON.parse(readText(join(ROOT, 'node_modules', '.package-lock.json')))
    const extra = Object.keys(there).some((path) => !wanted[path])
    return (
      !extra &&
      Object.values(there).every(isOfThisMachine) &&
      Object.entries(wanted).every(([path, { version, optional }]) => {
        return path === '' || (there[path] ? there[path].version === version : optional)
      })
    )
  } catch {
    return false
  }
}

function isInstalled(wanted) {
  const installed = readText(INSTALLED)
  if (installed === wanted) return true
  // Native packages of another machine's kind are of no use here, whatever their versions.
  const sameMachine = installed === undefined || installed.startsWith(`${process.platform}-${process.arch}-`)
  if (!sameMachine || !isInstalledByHand()) return false
  try {
    writeFileSync(INSTALLED, `${wanted}\n`)
  } catch {
    // Somebody else's checkout: the longer comparison is made each time.
  }
  return true
}

function install() {
  const wanted = wantedInstall()
  if (isInstalled(wanted)) return
  withInstallLock(() => {
    if (isInstalled(wanted)) return
    process.stderr.write('Installing the dependencies (npm ci) …\n')
    const { status, signal, error } = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
    if (error) fail(`npm cannot be started (${error.message}): Guildhall needs Node.js with npm.`)
    if (signal) fail(`The installation of the dependencies was interrupted (${signal}).`)
    if (status !== 0) {
      fail(
        'npm could not install the dependencies (see its message above): check the network, then try again.',
      )
    }
    writeFileSync(INSTALLED, `${wanted}\n`)
  })
}

function isRunnable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Finds a Node that runs the sources: npm keeps it in its own cache, this remembers where. */
function findNewerNode() {
  const note = join(CACHE, 'node-path')
  const remembered = readText(note)
  if (remembered && isRunnable(remembered)) return remembered
  process.stderr.write(
    `Node ${process.version} is too old for Guildhall: fetching ${NODE_PACKAGE} with npm …\n`,
  )
  const asked = ['exec', '--yes', `--package=${NODE_PACKAGE}`, '--', 'node', '-p', 'process.execPath']
  const { status, stdout, error } = npm(asked, 'read')
  const path = (stdout ?? '').trim().split('\n').pop() ?? ''
  if (error || status !== 0 || !isRunnable(path)) {
    fail(
      `Guildhall needs Node ${OLDEST_NODE.join('.')} or newer, this is ${process.version}, and npm could not ` +
        `fetch ${NODE_PACKAGE}: check the network, or install a newer Node.js.`,
    )
  }
  try {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(note, `${path}\n`)
  } catch {
    // A checkout that cannot be written to is asked about anew each time; that is slower, not wrong.
  }
  return path
}

/**
 * Ends the command when the npm that started it is gone: killed the hard way, npm cannot pass a signal on, and
 * servers would run on without anybody to stop them.
 */
function endWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

/** Runs the command on another Node and becomes its shadow: signals go in, the way it ended comes out. */
function runOn(node, args) {
  // What the command starts by the name `node` must be the same Node.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH: path } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Listening keeps this process alive until the child is done. A Ctrl-C reaches both, so the child may see
    // the signal twice.
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + osConstants.signals[signal] : code))
}

const [script, ...rest] = process.argv.slice(2)
if (!script) fail('Usage: node infra/bootstrap.mjs <script.ts> [arguments…]')
const scriptPath = resolve(ROOT, script)
if (!existsSync(scriptPath) || !statSync(scriptPath).isFile()) fail(`There is no script ${scriptPath}.`)

endWithParent()
install()
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node-compile')
if (isNewEnough(process.version)) {
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  process.argv = [process.execPath, scriptPath, ...rest]
  await import(pathToFileURL(scriptPath).href)
} else {
  // The other Node begins here again, so that everything above holds for it too.
  runOn(findNewerNode(), [fileURLToPath(import.meta.url), scriptPath, ...rest])
}
