// @modelcontextprotocol/client: 2026-07-28, where each request stands alone.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { Feed } from './feed.mjs';
import { recorded } from './recorded_transport.mjs';

export const revisions = ['2026-07-28'];

const anything = { '~standard': { version: 1, vendor: 'tests', validate: value => ({ value }) } };

export async function connect(server, revision) {
  const client = new Client({ name: 'stateless', version: '1' },
                            { versionNegotiation: { mode: { pin: revision } } });
  const transport = recorded(StdioClientTransport, server, revision);
  const changes = new Feed();
  client.setNotificationHandler('notifications/resources/updated',
                                ({ params }) => changes.put(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => changes.put('the list'));
  await client.connect(transport);
  return {
    client, transport, changes, revision,
    stateless: true,
    call: (params, options) => client.callTool(params, options),
    request: async (method, params) => client.request({ method, params }, anything),
    async subscribe(uri) {
      const subscription =
        await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
      return () => subscription.close();
    },
  };
}
