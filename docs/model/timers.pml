/* A clock that ran out is expired exactly once and finally, and no bot that is to act is forgotten.
 *
 * One game: a person acts, or lets the clock run out; then a bot plays on. Two workers claim what is due; they
 * may be slow, may die, and may not hear what became of their statement. README.md says which line of code each
 * step stands for. scripts/model_check.py reads the lines that begin with `plant` and `gap`.
 *
 * plant NO_LEASE (nothing_forgotten): a claimed game is due no more, whatever becomes of the claim
 * plant NO_GUARD (safety): an expiry does not ask whether the game is still where it was
 * plant NO_CLOCK (safety): an expiry does not ask PostgreSQL whether the time is up
 * plant REST_ANYWHERE (nothing_forgotten): a claim is put down without a look at the seq
 */

#ifndef TROUBLES
#define TROUBLES 2                      /* workers that die, answers that are lost, workers that stop: in all */
#endif
#define EVENTS 4                        /* with the last of them the game is over */

mtype = { PERSON, BOT, NOBODY };        /* who is to act */
mtype = { NEVER, LATER, AT_DEADLINE, NOW };     /* wake_at: LATER is when a lease or a pause ends */

byte seq;
mtype to_act = PERSON;
mtype wake_at = AT_DEADLINE;
bool time_is_up;                        /* now() > deadline, of the clock that is running */
bool early = true;                      /* once a wake comes too early: another primary, another clock */
/* By the seq at which a clock was started: whether it ran out, and whether that was told in the log. */
bool ran_out[EVENTS + 2], expired[EVENTS + 2];
byte troubles = TROUBLES;

#define OWED ((to_act == PERSON && time_is_up) || to_act == BOT)

/* statements.py COMMIT with settle: another event, another clock. Anybody may be next. */
inline commit() {
    seq++; time_is_up = false;
    if
    :: seq < EVENTS -> to_act = PERSON; wake_at = AT_DEADLINE
    :: seq < EVENTS -> to_act = BOT; wake_at = NOW
    :: seq >= EVENTS -> to_act = NOBODY; wake_at = NEVER
    fi
}

/* The owner acts while there is time (guard IN_TIME), or never. */
active proctype Person() {
end:
    do
    :: atomic { to_act == PERSON && !time_is_up -> commit() }
    od
}

active proctype Time() {
end:
    do
    :: d_step { to_act == PERSON && !time_is_up -> time_is_up = true; ran_out[seq] = true }
    :: d_step { wake_at == LATER -> wake_at = NOW }
    :: d_step { wake_at == AT_DEADLINE && time_is_up -> wake_at = NOW }
    :: d_step { wake_at == AT_DEADLINE && !time_is_up && early -> wake_at = NOW; early = false }
    od
}

#ifdef NO_GUARD
#define UNCHANGED true
#else
#define UNCHANGED (seq == at)
#endif
#ifdef NO_CLOCK
#define UP true
#else
#define UP time_is_up
#endif
#ifdef REST_ANYWHERE
#define STILL_THERE true
#else
#define STILL_THERE (seq == at)
#endif

/* store/due_games.py: postpone, put_back and rest, each guarded by the seq. */
inline put_down(when) {
    if
    :: STILL_THERE -> wake_at = when
    :: else
    fi
}

active [2] proctype Worker() {
    byte at;
    mtype kind = NOBODY;

end:
    atomic {
        wake_at == NOW ->
#ifdef NO_LEASE
        wake_at = NEVER
#else
        wake_at = LATER
#endif
    };
    atomic { at = seq; kind = to_act };         /* the table, not older than the claim */
    if
    :: atomic { troubles > 0 -> troubles--; goto rest }         /* it dies, and another takes its place */
    :: atomic { troubles > 0 -> troubles--; put_down(NOW); goto rest }     /* it is told to stop */
    :: atomic { kind == NOBODY -> goto too_late }
    :: atomic {
           kind == PERSON ->
           if
           :: UNCHANGED && UP ->
              assert(ran_out[at] && !expired[at]);
              expired[at] = true;
              seq++; time_is_up = false; to_act = BOT; wake_at = NOW     /* a bot plays on */
           :: UNCHANGED && !(UP) -> goto too_late
           :: else                              /* STALE: another came first */
           fi
       }
    :: atomic {
           kind == BOT ->
           if
           :: UNCHANGED -> commit()
           :: else
           fi
       }
    fi;
    /* Perhaps it does not hear what came of it: then it puts the claim off, at the seq that it knew. */
    if
    :: atomic { troubles > 0 -> troubles--; put_down(LATER) }
    :: true
    fi;
    goto rest;

too_late:
    /* The time was not up after all: wake_at = deadline, if there is one. */
    atomic { put_down((to_act == PERSON -> AT_DEADLINE : NEVER)) };

rest:
    atomic { at = 0; kind = NOBODY; goto end }
}

/* Something always happens elsewhere, even when nothing can happen here. */
active proctype World() {
    do
    :: true -> skip
    od
}

/* With weak fairness: every process that can go on does so in the end. */
ltl nothing_forgotten { <> [] !OWED }
