// Arguments that a tool must refuse by name, made from what it says that it takes.
import assert from 'node:assert/strict';

const wrong = { string: { a: 1 }, integer: 'many', number: 'many', boolean: 'perhaps', array: 7,
                object: 'text' };

// A value of the right form, for arguments that have to be there while another is wrong.
const right = { string: 'nothing-of-that-name', integer: 1, number: 1, boolean: false,
                array: ['nothing-of-that-name'], object: {} };

// Where it depends on other arguments what has to be there, no schema tells.
const neededByTheLibrary = { remember: { name: 'never-kept', body: 'Nothing.' } };

function ordinary({ name, inputSchema: { properties, required = [] } }) {
  const given = Object.fromEntries(required.map(each =>
    [each, properties[each].enum?.[0] ?? right[properties[each].type]]));
  return { ...given, ...neededByTheLibrary[name] };
}

async function refuses(session, tool, args, about) {
  const result = await session.call({ name: tool.name, arguments: args });
  const said = `${tool.name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`;
  assert.equal(result.isError, true, said);
  assert.ok(result.content[0].text.includes(about), said);
}

// Each argument once with a value of another type, once outside of its choice; each required one left
// out. A refusal is a result that the model can read, never an error of the protocol.
export async function everyBadArgumentIsRefusedByName(session, tool) {
  const { properties, required = [] } = tool.inputSchema;
  let count = 0;
  for (const [name, { type, enum: choice }] of Object.entries(properties)) {
    await refuses(session, tool, { ...ordinary(tool), [name]: wrong[type] }, name);
    if (choice) await refuses(session, tool, { ...ordinary(tool), [name]: 'none-of-these' }, name);
    count += 1;
  }
  for (const name of required) {
    const { [name]: _, ...others } = ordinary(tool);
    await refuses(session, tool, others, name);
    await refuses(session, tool, { ...others, [name]: null }, name);
  }
  return count;
}
