// The clients of all matches at a server of boardgame.io: two in each, one of whom is always on turn.
//
// Told what to do by lines of JSON on standard input, it answers each with a line: how many moves a second
// reached the other client, and after how many milliseconds.

import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const AT_ONCE = 16;
const THOUSAND = 1000;
const PATIENCE = 15;

/** A match with its two clients; a move is done when the other client has heard of it. */
class Match {
  constructor(id, sockets, credentials, heard) {
    this.id = id;
    this.state = 0;
    this.sockets = sockets;
    this.credentials = credentials;
    this.heard = heard;
    this.due = 0;
    sockets.forEach((socket, seat) => {
      socket.on("update", (_id, state) => this.hear(seat, state._stateID));
    });
  }

  get mover() {
    return this.state % 2;
  }

  send(due) {
    const seat = this.mover;
    this.due = due;
    const payload = { type: "move", args: [this.state], playerID: String(seat), credentials: this.credentials[seat] };
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, this.stateID, this.id, String(seat));
  }

  hear(seat, stateID) {
    // The mover is told of their own move too, perhaps after the other client has gone on.
    if (seat === this.mover || stateID <= this.stateID) return;
    this.stateID = stateID;
    this.state += 1;
    this.heard(this, this.due);
  }
}

class Clients {
  constructor() {
    this.matches = [];
    this.latencies = [];
    this.waiting = [];
    this.idle = [];
    this.next = () => {};
  }

  async open({ port, matches }) {
    const numbers = Array.from({ length: matches }).keys();
    const some = async () => {
      for (const _ of numbers) this.matches.push(await this.match(`http://127.0.0.1:${port}`));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    this.idle = this.matches.slice();
    return { open: this.matches.length };
  }

  async match(url) {
    const { matchID } = await asked(`${url}/games/escape/create`, { numPlayers: 2 });
    const credentials = [];
    for (const seat of [0, 1]) {
      const told = await asked(`${url}/games/escape/${matchID}/join`, { playerID: String(seat), playerName: "A" });
      credentials.push(told.playerCredentials);
    }
    const sockets = [0, 1].map(() => io(`${url}/escape`, { transports: ["websocket"], forceNew: true }));
    const states = await Promise.all(sockets.map((socket, seat) => synced(socket, matchID, seat, credentials[seat])));
    const match = new Match(matchID, sockets, credentials, (one, due) => this.hear(one, due));
    match.stateID = states[0];
    return match;
  }

  hear(match, due) {
    this.latencies.push(performance.now() - due);
    this.idle.push(match);
    this.next();
  }

  /** As many moves as the server takes: each match sends the next one when the last has been heard. */
  async flood({ seconds }) {
    this.next = () => this.idle.pop().send(performance.now());
    return this.measured(seconds, async () => {
      for (let left = this.idle.length; left; left -= 1) this.next();
      await pause(seconds);
      this.next = () => {};
    });
  }

  /** `rate` moves a second at random moments, whether or not the server keeps up. */
  async drip({ rate, seconds }) {
    this.next = () => {
      while (this.waiting.length && this.idle.length) this.idle.shift().send(this.waiting.shift());
    };
    return this.measured(seconds, async () => {
      let due = performance.now();
      const end = due + seconds * THOUSAND;
      while (due < end) {
        due += (-Math.log(1 - Math.random()) / rate) * THOUSAND;
        const wait = due - performance.now();
        if (wait > 0) await pause(wait / THOUSAND);
        this.waiting.push(due);
        this.next();
      }
    });
  }

  async measured(seconds, work) {
    this.latencies = [];
    const began = performance.now();
    await work();
    const inTime = this.latencies.length;
    const spent = (performance.now() - began) / THOUSAND;
    const last = performance.now() + PATIENCE * THOUSAND;
    while (this.idle.length < this.matches.length && performance.now() < last) await pause(0.01);
    const times = this.latencies.sort((a, b) => a - b);
    const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
    const missing = this.matches.length - this.idle.length + this.waiting.length;
    return { per_s: inTime / spent, p50_ms: at(0.5), p99_ms: at(0.99), missing };
  }
}

async function asked(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

function synced(socket, matchID, seat, credentials) {
  return new Promise((resolve) => {
    socket.once("sync", (_id, info) => resolve(info.state._stateID));
    socket.emit("sync", matchID, String(seat), credentials, 2);
  });
}

function pause(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * THOUSAND);
  });
}

const clients = new Clients();
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...details } = JSON.parse(line);
  console.log(JSON.stringify(await clients[what](details)));
}
process.exit(0);
