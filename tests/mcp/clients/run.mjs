// run.mjs CLIENT CASES MESSAGES PROGRAM [ARGUMENT…]: plays CASES (fixture or memory) with CLIENT (sdk or
// stateless) against the server that PROGRAM starts, in each revision that the client speaks, and leaves
// what the server said in the folder MESSAGES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [clientName, casesName, messages, command, ...args] = process.argv.slice(2);
const { connect, revisions } = await import(`./${clientName}.mjs`);
const { cases } = await import(`./${casesName}_cases.mjs`);

// A machine of its own, with one repository: nothing of the user's is read or written.
function freshPlace() {
  const place = mkdtempSync(join(tmpdir(), 'mem-clients-'));
  const home = join(place, 'home');
  const project = join(place, 'project');
  for (const folder of [home, project]) mkdirSync(folder);
  execFileSync('git', ['init', '--quiet', project]);
  const env = { HOME: home, MEM_HOME: join(home, 'memories'), GIT_CONFIG_NOSYSTEM: '1' };
  return { place, project, server: { command, args, env, cwd: project } };
}

async function playCases(session) {
  for (const each of cases) {
    try {
      await each(session);
    } catch (error) {
      throw new Error(`${clientName} ${session.revision}: ${each.name}`, { cause: error });
    }
  }
}

async function play(revision) {
  const place = freshPlace();
  const session = { ...await connect(place.server, revision), ...place };
  try {
    await playCases(session);
  } finally {
    await session.client.close();
    rmSync(place.place, { recursive: true });
  }
  assert.equal(await session.transport.ended, 0, 'how the server ended');
  session.transport.save(join(messages, `${clientName}.${casesName}.${revision}.jsonl`));
}

mkdirSync(messages, { recursive: true });
for (const revision of revisions) await play(revision);
console.log(`${clientName}: ${cases.length} cases in ${revisions.length} revisions`);
