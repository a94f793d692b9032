// @modelcontextprotocol/sdk: the revisions that shake hands.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema, ResourceListChangedNotificationSchema,
         ResourceUpdatedNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { Feed } from './feed.mjs';
import { recorded } from './recorded_transport.mjs';

export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

// `roots`: folders of the user's, as URIs; without them the client says that it has none to offer.
export async function connect(server, revision, roots) {
  const client = new Client({ name: 'sdk', version: '1' },
                            { capabilities: roots ? { roots: { listChanged: true } } : {} });
  const transport = recorded(StdioClientTransport, server, revision);
  const changes = new Feed();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema,
                                ({ params }) => changes.put(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => changes.put('the list'));
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map(uri => ({ uri })) }));
  await client.connect(transport);
  return {
    client, transport, changes, revision,
    stateless: false,
    call: (params, options) => client.callTool(params, undefined, options),
    request: async (method, params) => client.request({ method, params }, ResultSchema),
    async subscribe(uri) {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
  };
}
