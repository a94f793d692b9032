// What a client does with `mem mcp --tools all` in a repository without memories.
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { everyBadArgumentIsRefusedByName } from './bad_input.mjs';
import { wholeList } from './lists.mjs';

const usual = ['remember', 'recall', 'read_memory', 'forget', 'memory_context'];

// What a tool answered, which must be no refusal.
async function answer({ call }, name, args) {
  const result = await call({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  return result.content[0].text;
}

async function refusal({ call }, name, args) {
  const result = await call({ name, arguments: args });
  assert.equal(result.isError, true, `${name} is not refused: ${result.content[0].text}`);
  return result.content[0].text;
}

function fileNamed(folder, name) {
  const entry = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .find(path => path.endsWith(`/${name}.md`));
  assert.ok(entry, `no ${name}.md below ${folder}`);
  return join(folder, entry);
}

async function theServerSaysWhatItIs({ client, revision }) {
  assert.equal(client.getServerVersion().name, 'mem');
  assert.ok(client.getInstructions().length > 0);
  const capabilities = client.getServerCapabilities();
  for (const each of ['tools', 'resources', 'prompts']) assert.ok(capabilities[each], each);
  assert.equal(capabilities.completions !== undefined, revision >= '2025-03-26');
}

async function toolsAreListedWithAllThatTheRevisionKnows(session) {
  const { entries } = await wholeList(session, 'listTools');
  assert.deepEqual(entries.slice(0, usual.length).map(tool => tool.name).sort(), [...usual].sort());
  for (const tool of entries) {
    assert.match(tool.name, /^[A-Za-z0-9_.-]+$/);
    assert.ok(tool.description.length > 20, tool.name);
    assert.equal(tool.inputSchema.type, 'object');
    if (session.revision < '2025-03-26') continue;
    assert.equal(Object.keys(tool.annotations).filter(hint => hint.endsWith('Hint')).length, 4);
    assert.equal(tool.annotations.openWorldHint, false);
  }
}

async function badArgumentsAreRefusedByName(session) {
  const { entries } = await wholeList(session, 'listTools');
  let count = 0;
  for (const tool of entries) count += await everyBadArgumentIsRefusedByName(session, tool);
  assert.ok(count >= entries.length);
}

async function aMemoryIsRememberedFoundAndRead(session) {
  await answer(session, 'remember', {
    name: 'release-branch', title: 'Release branch', kind: null, unknown: [1],
    description: 'Releases are cut from `stable`.', body: 'Releases are cut from `stable`, 漢字.',
  });
  const hits = await answer(session, 'recall', { query: 'releases stable', limit: 5.0 });
  assert.ok(hits.includes('private/release-branch'), hits);
  assert.ok((await answer(session, 'recall', { query: '漢字' })).includes('private/release-branch'));
  const read = await answer(session, 'read_memory', { refs: ['private/release-branch'] });
  assert.ok(read.includes('漢字'), read);
  assert.ok((await answer(session, 'memory_context', {})).includes('release-branch'));
}

async function conflictsAndNearDuplicatesAreToldToTheLoser(session) {
  const stale = { id: 'private/release-branch', body: 'Another.', expected_revision: 99 };
  assert.match(await refusal(session, 'remember', stale), /99/);
  const copy = { name: 'branch-of-releases', title: 'Release branch',
                 description: 'Releases are cut from `stable`.',
                 body: 'Releases are cut from `stable`, 漢字, always.' };
  assert.match(await refusal(session, 'remember', copy), /release-branch/);
  const read = await answer(session, 'read_memory', { refs: ['private/release-branch'] });
  assert.ok(read.includes('漢字'), 'the loser changed nothing');
}

async function whatIsForgottenComesBack(session) {
  await answer(session, 'verify_memory', { ref: 'private/release-branch' });
  await answer(session, 'forget', { ref: 'private/release-branch' });
  await refusal(session, 'read_memory', { refs: ['private/release-branch'] });
  await answer(session, 'recover_memory', { ref: 'private/release-branch' });
  await answer(session, 'read_memory', { refs: ['private/release-branch'] });
}

async function secretsAreRefused(session) {
  const secret = { name: 'key', title: 'A key', description: 'A key.', scope: 'shared',
                   body: 'The key is AKIA' + 'Z7QX3M5N8PLK2RTV and works.' };
  await refusal(session, 'remember', secret);
  await refusal(session, 'read_memory', { refs: ['shared/key'] });
}

async function resourcesAreListedAndRead(session) {
  const { entries } = await wholeList(session, 'listResources');
  assert.ok(entries.some(entry => entry.uri === 'mem://context'));
  for (const { uri } of entries) {
    const { contents } = await session.client.readResource({ uri });
    assert.equal(contents[0].uri, uri);
  }
  assert.ok((await wholeList(session, 'listResourceTemplates')).entries.length > 0);
  const { contents } = await session.client.readResource({ uri: 'mem://private/release-branch' });
  assert.ok(contents[0].text.includes('漢字'));
  for (const uri of ['mem://private/none', 'mem://none', 'file:///etc/passwd'])
    await assert.rejects(session.client.readResource({ uri }),
                         { code: session.stateless ? -32602 : -32002 });
  await assert.rejects(session.client.readResource({ uri: 'mem://private/..%2f..%2fsecret' }));
}

async function namesAreCompleted({ client }) {
  const [template] = (await client.listResourceTemplates()).resourceTemplates;
  const ref = { type: 'ref/resource', uri: template.uriTemplate };
  const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'rel' } });
  assert.deepEqual(completion.values, ['release-branch']);
  const scopes = await client.complete({ ref, argument: { name: 'scope', value: 'pr' } });
  assert.deepEqual(scopes.completion.values, ['private']);
}

async function promptsAreGiven(session) {
  const { entries } = await wholeList(session, 'listPrompts');
  assert.ok(entries.length > 0);
  for (const { name } of entries) {
    const { messages } = await session.client.getPrompt({ name, arguments: {} });
    assert.ok(messages[0].content.text.length > 0, name);
  }
  await assert.rejects(session.client.getPrompt({ name: 'none' }), { code: -32602 });
}

async function aFileEditedByHandIsToldToItsSubscriber(session) {
  const uri = 'mem://private/release-branch';
  const unsubscribe = await session.subscribe(uri);
  appendFileSync(fileNamed(session.place, 'release-branch'), 'Edited by hand.\n');
  await session.changes.until(changed => changed === uri);
  const { contents } = await session.client.readResource({ uri }, { cacheMode: 'bypass' });
  assert.ok(contents[0].text.includes('Edited by hand.'));
  await unsubscribe();
}

async function strangeRequestsAreErrorsAndTheNextIsServed({ call, client, request, stateless }) {
  await assert.rejects(call({ name: 'none' }), { code: -32602 });
  await assert.rejects(request('tools/call', { name: 'recall', arguments: [] }), { code: -32602 });
  await assert.rejects(request('no/such', {}), { code: -32601 });
  if (!stateless) assert.deepEqual(await client.ping(), {});
}

async function aCancelledCallEndsAndTheNextIsServed(session) {
  const stop = new AbortController();
  const cancelled = session.call({ name: 'recall', arguments: { query: 'stable' } },
                                 { signal: stop.signal });
  stop.abort('enough');
  await assert.rejects(cancelled);
  await answer(session, 'recall', { query: 'stable' });
}

async function manyWritesAtOnceAreAllKept(session) {
  const numbers = Array.from({ length: 20 }, (_, i) => i);
  await Promise.all(numbers.map(i => answer(session, 'remember', {
    name: `fact-${i}`, title: `Fact ${i}`, description: `The number ${i} of many.`, force: true,
    body: `Fact number ${i} about ${'abcdefghijklmnopqrst'[i].repeat(8)}.`,
  })));
  for (const i of numbers) await answer(session, 'read_memory', { refs: [`private/fact-${i}`] });
}

export const cases = [
  theServerSaysWhatItIs, toolsAreListedWithAllThatTheRevisionKnows, badArgumentsAreRefusedByName,
  aMemoryIsRememberedFoundAndRead, conflictsAndNearDuplicatesAreToldToTheLoser,
  whatIsForgottenComesBack, secretsAreRefused, resourcesAreListedAndRead, namesAreCompleted,
  promptsAreGiven, aFileEditedByHandIsToldToItsSubscriber,
  strangeRequestsAreErrorsAndTheNextIsServed, aCancelledCallEndsAndTheNextIsServed,
  manyWritesAtOnceAreAllKept,
];
