// Asks the engine for a hint over the text protocol.  Needs node, and qwirkle-fast on the path.
//
// node examples/ask.js
// node examples/ask.js "-1,-1:GtGvGdGc/RtRvRdRcRs GsOsPtPxRcBd/?6 12/20 classic" 2
const { spawn } = require("child_process");
const { createInterface } = require("readline");

const [position = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic", seconds = "1"] = process.argv.slice(2);
const fail = (text) => {
  console.error(text);
  process.exit(2);
};
if (!(Number(seconds) > 0)) fail(`seconds: ${seconds}, expected a number above 0`);

const engine = spawn("qwirkle-fast", ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
engine.on("error", (error) => fail(`the engine does not start: ${error.message}`));
engine.stdin.on("error", () => {}); // it ended early, and has said why
engine.on("exit", (status) => process.exit(status));
const say = (line) => engine.stdin.write(line + "\n");

// "move Rs@3,0 equity 3.9 win 0.515" as an object
const fields = (words) => Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1]]])));
let best = {};
createInterface({ input: engine.stdout }).on("line", (line) => {
  const [word, ...words] = line.split(" ");
  if (word === "uqiok") say("isready");
  else if (word === "readyok") {
    say(`position ${position.replace(/\s+/g, " ")}`);
    say(`go movetime ${Math.round(1000 * Number(seconds))}`);
  } else if (word === "info") best = fields(words);
  else if (word === "bestmove") {
    if (words[0] === "none") fail("no move: the game is over, or that is no position");
    console.log(`${words[0]}: ${best.score} points now, wins ${(100 * best.win).toFixed(1)} in 100`);
    say("quit");
  }
});
say("uqi");
