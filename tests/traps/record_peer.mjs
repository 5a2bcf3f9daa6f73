// Feeds random streams to eventsource-parser and writes down what it gave, one JSON object a line for each line read.
//
//     npm install eventsource-parser@4.1.3
//     python traps_peer.py ask 0 600 | node record_peer.mjs | python traps_peer.py keep
//
// In: {"seed", "chunks": [...]}, chunks in base64. Out: {"seed", "chunks", "events": [[chunk, event, data, id], ...],
// "plain": [data, ...]}. An event's chunk says how many had been fed when it came; its id is the last that the stream has
// told. The bytes go through a TextDecoder with `ignoreBOM`, since the parser itself takes a byte order mark away; `plain`
// is what comes without that option.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { createParser } = require("eventsource-parser");

function parse(chunks, options) {
  const decoder = new TextDecoder("utf-8", options);
  const events = [];
  let fed = 0, lastId = "";
  const parser = createParser({
    onId: (id) => (lastId = id),
    onEvent: ({ event, data }) => events.push([fed, event || "message", data, lastId]),
  });
  for (const chunk of chunks) {
    fed += 1;
    parser.feed(decoder.decode(Buffer.from(chunk, "base64"), { stream: true }));
  }
  fed += 1;
  parser.feed(decoder.decode()); // half a character at the end
  parser.reset();
  return events;
}

for await (const text of createInterface({ input: process.stdin })) {
  const { seed, chunks } = JSON.parse(text);
  const events = parse(chunks, { ignoreBOM: true });
  const plain = parse(chunks, {}).map(([, , data]) => data);
  console.log(JSON.stringify({ seed, chunks, events, plain }));
}
