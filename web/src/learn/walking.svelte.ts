/** The way through a lesson: which task is open, and the result of the learner's last choice. */

import type { View, Wishes } from "../api/messages";
import { legalWith } from "../board/wishing";
import type { Told } from "../board/moving";
import type { Lesson, Task } from "./course";

export class Walking {
  /** The number of the open task, from 0. */
  index = $state(0);
  /** A legal choice that was not the task; it is shown until it is taken back. */
  strayed: number | null = $state(null);
  /** The choice that solved the task; it is shown until the learner goes on. */
  solved: number | null = $state(null);
  /** What happened in this scene. */
  happened: readonly Told[] = $state.raw([]);
  /** Whether the learner asked to be shown the move. */
  isShown = $state(false);

  task: Task = $derived.by(() => taskOf(this.lesson, this.index));

  /** The view of the open task, or after the last choice. */
  view: View = $derived.by(() => {
    const made = this.strayed ?? this.solved;
    return made === null ? this.task.view : { ...this.task.view, ...this.task.replies[made]?.changed };
  });

  /** The choices of the learner; null when the task is solved. */
  wishes: Wishes | null = $derived.by(() => (this.solved === null ? this.task.wishes : null));

  /** Whether all tasks are solved. */
  isDone: boolean = $derived.by(() => this.solved !== null && this.index === this.lesson.tasks.length - 1);

  /** The seat of the learner. */
  you: number = $derived.by(() => this.task.view.seat ?? 0);

  constructor(readonly lesson: Lesson) {}

  /** The code that is laid out on the board after "show me". */
  get hint(): number | null {
    const isPossible = this.isShown && this.strayed === null && this.solved === null;
    return isPossible && this.hintWord === "move" ? (this.task.goals[0] ?? null) : null;
  }

  /** How the move is shown: on the board, or by naming a button. */
  get hintWord(): "move" | "sail" | "end_turn" {
    const goal = legalWith(this.task.wishes, this.task.goals[0] ?? null);
    if (goal?.kind === "end_turn") return "end_turn";
    return goal?.kind === "sail" || goal?.kind === "captain_sail" ? "sail" : "move";
  }

  /** The learner made a choice. */
  send(code: number): void {
    const reply = this.task.replies[code];
    if (reply === undefined || this.strayed !== null || this.solved !== null) return;
    this.happened = [
      ...this.happened,
      { seq: (this.happened.at(-1)?.seq ?? 0) + 1, happenings: reply.happened },
    ];
    this.isShown = false;
    if (this.task.goals.includes(code)) this.solved = code;
    else this.strayed = code;
  }

  /** Whether there is anything to take back. */
  get canUndo(): boolean {
    return this.strayed !== null || (this.solved === null && this.goesOn(0));
  }

  /** Take back a choice that was not the task, else the previous task of the scene. */
  undo(): void {
    if (this.strayed !== null) this.strayed = null;
    else if (this.canUndo) this.open(this.index - 1);
  }

  /** Take back everything in the scene. */
  undoAll(): void {
    while (this.canUndo) this.undo();
  }

  /** Go on to the next task; a new scene begins with nothing told. */
  next(): void {
    if (this.solved === null || this.isDone) return;
    if (!this.goesOn(1)) this.happened = [];
    this.open(this.index + 1);
  }

  private open(index: number): void {
    this.index = index;
    this.strayed = null;
    this.solved = null;
    this.isShown = false;
  }

  /** Whether the task `ahead` steps on is in the same scene as the one before it. */
  private goesOn(ahead: 0 | 1): boolean {
    const { tasks } = this.lesson;
    const [before, after] = [tasks[this.index + ahead - 1], tasks[this.index + ahead]];
    return before !== undefined && after !== undefined && before.scene === after.scene;
  }
}

function taskOf(lesson: Lesson, index: number): Task {
  const task = lesson.tasks[index];
  if (task === undefined) throw new Error(`the lesson ${lesson.name} has no task ${index}`);
  return task;
}
