// Shows streams to @xterm/headless and writes down what it shows, one JSON object a line for each line read.
//
//     npm install @xterm/headless@6.0.0 @xterm/addon-unicode11
//     python screen_corpus.py ask 0 4000 | node record_corpus.mjs | python screen_corpus.py keep
//
// With `compare` for `keep` it tells how streams of other seeds differ, and keeps nothing.
//
// In: {"seed", "columns", "rows", "data"}, data in base64. Out: the same with {"cursor": [row, column], "wrapped": N,
// "shown": [...]}: N rows go on in the next, shown has one [cells, styles] for each row: cells as one string per
// column, styles as [length, style] runs.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");

const ATTRIBUTES = [
  ["bold", "isBold"], ["dim", "isDim"], ["italic", "isItalic"], ["underline", "isUnderline"],
  ["blink", "isBlink"], ["reverse", "isInverse"], ["hidden", "isInvisible"], ["strike", "isStrikethrough"],
  ["overline", "isOverline"],
];

function colour(cell, ground) {
  const value = cell[`get${ground}Color`]();
  if (cell[`is${ground}Palette`]()) return String(value);
  if (cell[`is${ground}RGB`]()) return `${value >> 16},${(value >> 8) & 255},${value & 255}`;
  return "";
}

function style(cell) {
  const words = ATTRIBUTES.filter(([, is]) => cell[is]()).map(([name]) => name);
  const [fg, bg] = [colour(cell, "Fg"), colour(cell, "Bg")];
  return [...words, ...(fg ? [`fg=${fg}`] : []), ...(bg ? [`bg=${bg}`] : [])].join(" ");
}

function row(line, columns) {
  const cells = [], styles = [];
  for (let x = 0; x < columns; x++) {
    const cell = line.getCell(x);
    const orphan = cell.getWidth() === 0 && (x === 0 || line.getCell(x - 1).getWidth() !== 2);
    cells.push(cell.getWidth() === 0 && !orphan ? "" : cell.getChars() || " ");
    const look = orphan ? "any" : style(cell); // the second half of a wide character without its first
    if (styles.length && styles.at(-1)[1] === look) styles.at(-1)[0]++;
    else styles.push([1, look]);
  }
  return [cells, styles];
}

for await (const text of createInterface({ input: process.stdin })) {
  const { seed, columns, rows, data } = JSON.parse(text);
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000, logLevel: "off" });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  // A few streams make it throw out of a timer; those are reported as crashes.
  const crash = await new Promise((done) => {
    const caught = (error) => done(String(error.message ?? error));
    process.once("uncaughtException", caught);
    terminal.write(Buffer.from(data, "base64"), () => {
      process.off("uncaughtException", caught);
      done(null);
    });
  });
  const buffer = terminal.buffer.active;
  const shown = []; // the scrollback too
  let wrapped = 0;
  for (let y = 0; y < buffer.length; y++) {
    shown.push(row(buffer.getLine(y), columns));
    wrapped += buffer.getLine(y).isWrapped;
  }
  const cursor = [buffer.cursorY, buffer.cursorX];
  const answer = crash ? { crash } : { cursor, wrapped, shown };
  console.log(JSON.stringify({ seed, columns, rows, data, ...answer }));
  terminal.dispose();
}
