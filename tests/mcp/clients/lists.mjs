// Walks a list page by page, as the server cuts it, and looks that no page repeats another.
import assert from 'node:assert/strict';

const members = {
  listTools: 'tools', listResources: 'resources', listResourceTemplates: 'resourceTemplates',
  listPrompts: 'prompts',
};
const methods = {
  listTools: 'tools/list', listResources: 'resources/list',
  listResourceTemplates: 'resources/templates/list', listPrompts: 'prompts/list',
};

// { entries, pages } of the list that the client's method `list` asks for.
export async function wholeList(session, list) {
  const entries = [];
  let pages = 0;
  let cursor;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = cursor === undefined ? await session.request(methods[list], params)
                                      : await session.client[list](params);
    entries.push(...page[members[list]]);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  const keys = entries.map(entry => entry.uri ?? entry.uriTemplate ?? entry.name);
  assert.equal(new Set(keys).size, keys.length, `${list}: an entry twice`);
  return { entries, pages };
}
