// A client's own stdio transport that also writes down what the server says, as it came.
import { writeFileSync } from 'node:fs';

// `Transport` is one of the clients' StdioClientTransport. `revision`: what `initialize` asks for, in
// place of the client's newest.
export function recorded(Transport, server, revision) {
  const requests = new Map();  // by what an answer or a notification names them with
  const output = [];
  let lastLine = '';

  function asWanted(message) {
    if (message.method !== 'initialize') return message;
    return { ...message, params: { ...message.params, protocolVersion: revision } };
  }

  function remember(message) {
    lastLine = JSON.stringify(message);
    if (message.id !== undefined) requests.set(JSON.stringify(message.id), lastLine);
    const token = message.params?._meta?.progressToken;
    if (token !== undefined) requests.set(`progress ${JSON.stringify(token)}`, lastLine);
  }

  function requestOf(message) {
    const token = message.params?.progressToken;
    const key = token === undefined ? JSON.stringify(message.id) : `progress ${JSON.stringify(token)}`;
    return requests.get(key) ?? lastLine;
  }

  return new (class extends Transport {
    // How the server ended: its code, or the signal's name.
    ended;

    async start() {
      await super.start();
      this._process.stdout.on('data', chunk => output.push(chunk));
      this.ended = new Promise(resolve =>
        this._process.once('exit', (code, signal) => resolve(signal ?? code)));
    }

    send(message, options) {
      const wanted = asWanted(message);
      remember(wanted);
      return super.send(wanted, options);
    }

    // As tests/mcp/check_messages.py reads it.
    save(path) {
      const lines = Buffer.concat(output).toString().split('\n').filter(line => line !== '');
      const entries = lines.map(line => JSON.parse(line)).map(message =>
        JSON.stringify({ request: requestOf(message), message }));
      writeFileSync(path, entries.join('\n') + '\n');
    }
  })(server);
}
