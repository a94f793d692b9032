// What a client does with the fixture server (tests/mcp/fixture_service.h), whose lists have two entries
// a page.
import assert from 'node:assert/strict';

import { wholeList } from './lists.mjs';

const names = list => list.entries.map(entry => entry.name);

async function capabilitiesAndInstructionsAreTold({ client, revision }) {
  assert.equal(client.getServerVersion().name, 'fixture');
  assert.equal(client.getInstructions(), 'For tests.');
  const capabilities = client.getServerCapabilities();
  for (const each of ['tools', 'resources', 'prompts']) assert.ok(capabilities[each], each);
  assert.equal(capabilities.completions !== undefined, revision >= '2025-03-26');
}

async function listsComeInPages(session) {
  const tools = await wholeList(session, 'listTools');
  assert.deepEqual(names(tools), ['echo', 'say', 'refuse', 'throw', 'count', 'touch']);
  assert.equal(tools.pages, 3);
  const resources = await wholeList(session, 'listResources');
  assert.deepEqual(names(resources), ['note-1', 'note-2', 'note-3']);
  assert.equal(resources.pages, 2);
  assert.deepEqual(names(await wholeList(session, 'listResourceTemplates')), ['note']);
  assert.deepEqual(names(await wholeList(session, 'listPrompts')), ['greet']);
  await assert.rejects(session.client.listTools({ cursor: 'nowhere' }), { code: -32602 });
}

async function toolsTellWhenTheyAreNewEnough({ client, revision }) {
  const { tools } = await client.listTools();
  assert.equal(tools[0].annotations !== undefined, revision >= '2025-03-26');
  assert.equal(tools[0].outputSchema !== undefined, revision >= '2025-06-18');
}

async function toolsAnswer({ call, revision }) {
  const echoed = await call({ name: 'echo', arguments: { text: 'é 漢 \u2028', n: 10, none: null } });
  assert.deepEqual(JSON.parse(echoed.content[0].text), { text: 'é 漢 \u2028', n: 10, none: null });
  if (revision >= '2025-06-18') assert.equal(echoed.structuredContent.text, 'é 漢 \u2028');
  assert.equal((await call({ name: 'say', arguments: { text: 'hello' } })).content[0].text, 'hello');
  assert.equal((await call({ name: 'say' })).content[0].text, 'nothing');
  const long = 'é'.repeat(200_000);
  assert.equal((await call({ name: 'say', arguments: { text: long } })).content[0].text, long);
}

async function refusalsAreResultsAndFaultsAreErrors({ call, request }) {
  const refused = await call({ name: 'refuse' });
  assert.equal(refused.isError, true);
  assert.equal(refused.content[0].text, 'that is refused');
  await assert.rejects(call({ name: 'throw' }), { code: -32603 });
  await assert.rejects(call({ name: 'none' }), { code: -32602 });
  await assert.rejects(request('tools/call', { name: 'echo', arguments: [] }), { code: -32602 });
  await assert.rejects(request('tools/call', { name: 7 }), { code: -32602 });
  await assert.rejects(request('no/such', {}), { code: -32601 });
}

async function resourcesAreRead({ client, stateless }) {
  const { contents } = await client.readResource({ uri: 'note://2' });
  assert.deepEqual(contents, [{ uri: 'note://2', mimeType: 'text/plain', text: 'This is note-2' }]);
  await assert.rejects(client.readResource({ uri: 'note://none' }),
                       { code: stateless ? -32602 : -32002 });
}

async function promptsAreFilledIn({ client }) {
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
  assert.deepEqual(prompt.messages.map(message => message.content.text), ['Greet Ada', 'Hello']);
  await assert.rejects(client.getPrompt({ name: 'greet' }), { code: -32602 });
  await assert.rejects(client.getPrompt({ name: 'none' }), { code: -32602 });
}

async function variablesOfTemplatesAreCompleted({ client }) {
  const ref = { type: 'ref/resource', uri: 'note://{number}' };
  const { completion } = await client.complete({ ref, argument: { name: 'number', value: '2' } });
  assert.deepEqual(completion.values, ['2']);
  const who = { type: 'ref/prompt', name: 'greet' };
  assert.ok((await client.complete({ ref: who, argument: { name: 'who', value: '' } })).completion);
  await assert.rejects(client.complete({ ref: { type: 'ref/prompt', name: 'none' },
                                         argument: { name: 'who', value: '' } }), { code: -32602 });
}

async function subscribersAreToldOfChanges({ call, subscribe, changes }) {
  const unsubscribe = await subscribe('note://1');
  await call({ name: 'touch', arguments: { uri: 'note://2' } });
  await call({ name: 'touch', arguments: { uri: 'note://1' } });
  assert.equal(await changes.next(), 'note://1');
  await unsubscribe();
  await call({ name: 'touch', arguments: { uri: 'note://1' } });
  const again = await subscribe('note://3');
  await call({ name: 'touch', arguments: { uri: 'note://3' } });
  assert.equal(await changes.next(), 'note://3');
  await again();
}

// The clients drop what is in one read with the answer, so there is more than one read takes.
async function progressIsTold({ call }) {
  const told = [];
  await call({ name: 'count', arguments: { n: 2000 } },
             { onprogress: ({ progress, total }) => told.push({ progress, total }) });
  assert.ok(told.length > 0);
  assert.deepEqual(told, told.map((_, i) => ({ progress: i + 1, total: 2000 })));
}

async function aCancelledCallEndsAndTheNextIsServed({ call }) {
  const stop = new AbortController();
  await assert.rejects(call({ name: 'count', arguments: { n: 1_000_000_000 } },
                            { signal: stop.signal, onprogress: () => stop.abort('enough') }));
  assert.equal((await call({ name: 'say', arguments: { text: 'still here' } })).content[0].text,
               'still here');
}

async function manyCallsAtOnceAreEachAnswered({ call }) {
  const texts = Array.from({ length: 50 }, (_, i) => `call ${i}`);
  const answers = await Promise.all(texts.map(text => call({ name: 'say', arguments: { text } })));
  assert.deepEqual(answers.map(answer => answer.content[0].text), texts);
}

async function pingIsAnsweredWhereThereIsOne({ client, stateless, request }) {
  if (stateless) await assert.rejects(request('ping', {}));
  else assert.deepEqual(await client.ping(), {});
}

export const cases = [
  capabilitiesAndInstructionsAreTold, listsComeInPages, toolsTellWhenTheyAreNewEnough, toolsAnswer,
  refusalsAreResultsAndFaultsAreErrors, resourcesAreRead, promptsAreFilledIn,
  variablesOfTemplatesAreCompleted, subscribersAreToldOfChanges, progressIsTold,
  aCancelledCallEndsAndTheNextIsServed, manyCallsAtOnceAreEachAnswered,
  pingIsAnsweredWhereThereIsOne,
];
