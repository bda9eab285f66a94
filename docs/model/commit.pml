/* An acknowledged change is in the log exactly once, even after the standby has taken over.
 *
 * Two clients change one table, two nodes serve them. README.md says which line of code each step stands for.
 * scripts/model_check.py reads the lines that begin with `plant` and `gap`.
 *
 * plant ACK_ALONE (safety): a commit whose wait for the standby was cut short is acknowledged
 * plant FOUND_ALONE (safety): what is found in the log is acknowledged before the standby has it
 * plant CONFIRM_ELSEWHERE (safety): looking and confirming are two statements, each to the primary of then
 * plant NO_GUARD (safety): the statement does not ask for the seq
 * plant KEY_FIRST (safety): the key is looked for before the table is read, not after
 * plant SEQ_ALONE (safety): the guard asks for the seq alone, which an event that was seen and lost had too
 */

#ifndef TROUBLES
#define TROUBLES 2                      /* connections cut, waits cut short, clients out of patience: in all */
#endif
#define FAILOVERS 1
#define NODES 2
#define CLIENTS 2
#define IMPATIENT 0                     /* sends again, to the other node, before the first answer has come */
#define CHOICES 2                       /* a client that came too late chooses once more, with another key */
#define KEYS 4                          /* CLIENTS * CHOICES; keys count from 1 */
#define EVENTS 5
#define NOTHING 255

mtype = { WAITING, DONE, STALE, AGAIN };

/* The database: a log in the primary; how much of it others see, and how much is with the standby. */
byte log[EVENTS];                       /* by seq: the key of the request; the table was opened by 0 */
byte game[EVENTS];                      /* by seq: the last event of the game itself */
byte written, seen, copied;
byte primary;                           /* counts failovers: a connection belongs to one primary */
byte troubles = TROUBLES;

/* A statement that was under way when its connection broke: it still arrives, or never does. */
bool late;
byte late_key, late_seq, late_head, late_timeline;

/* The nodes: what they keep of the table, and its lock. A request that waits for it has done nothing yet. */
byte kept[NODES] = NOTHING;
byte kept_head[NODES], kept_game[NODES], kept_timeline[NODES];
bool locked[NODES];

/* The clients. */
chan requests[CLIENTS] = [0] of { byte, byte, byte };
bool beside[CLIENTS];                   /* whose change is beside the game and makes no choice stale */
byte listens[CLIENTS];                  /* to which request; 0 for none */
mtype answer[CLIENTS] = WAITING;
bool acknowledged[KEYS + 1];
byte served;

#define HAS(key) (log[1] == key || log[2] == key || log[3] == key || log[4] == key)
#define SEES(key) (HAS(key) && (seen == written || log[written] != key))
#define TROUBLE troubles > 0 -> troubles--

#ifdef NO_GUARD
#define GUARD(seq, timeline) true
#elif defined(SEQ_ALONE)
#define GUARD(seq, timeline) (seen == seq)
#else
#define GUARD(seq, timeline) (seen == seq && primary == timeline)
#endif

inline append(key, head) {
    assert(!HAS(key));                  /* nothing twice */
    assert(log[seen] == head);          /* decided on the log that it is added to */
    written = seen + 1;
    log[written] = key;
    game[written] = (beside[(key - 1) / CHOICES] -> game[seen] : written)
}

/* What was read stays, unless something newer is kept already. */
inline keep() {
    if
    :: kept[node] == NOTHING || kept[node] <= seq ->
       kept[node] = seq; kept_head[node] = head; kept_game[node] = since; kept_timeline[node] = timeline
    :: else
    fi
}

inline forget() { kept[node] = NOTHING; kept_head[node] = 0; kept_game[node] = 0; kept_timeline[node] = 0 }

inline load() { seq = seen; head = log[seen]; since = game[seen]; timeline = primary; keep() }

inline read_kept() {
    seq = kept[node]; head = kept_head[node]; since = kept_game[node]; timeline = kept_timeline[node]
}

inline tell(what) {
    if
    :: what == DONE -> acknowledged[key] = true; assert(HAS(key))
    :: what == AGAIN -> forget()
    :: else
    fi;
    locked[node] = false;
    if
    :: listens[who] == _pid -> answer[who] = what; listens[who] = 0
    :: else                             /* nobody listens any more */
    fi;
    key = 0; at = 0; node = 0; seq = 0; head = 0; since = 0; timeline = 0; connected = 0; target = 0
}

inline written_now() {
    seq++; head = key; since = (beside[who] -> since : seq); keep(); tell(DONE); goto end
}

inline if_it_stands() {
    if
    :: since <= at && at <= seq -> goto send
    :: else -> load(); goto look
    fi
}

/* One request after the other; the impatient client may have two under way. */
proctype Request(byte who) {
    byte key, at, node, seq, head, since, timeline, connected, target;

end:
    atomic {
        requests[who]?key, at, node; listens[who] = _pid; locked[node] = true;
        if
        :: beside[who] -> goto newest
        :: !beside[who] && kept[node] != NOTHING && kept[node] >= at -> read_kept()
        :: else -> load()
        fi;
        if_it_stands()
    };

newest:
#ifndef KEY_FIRST
    atomic {
        if
        :: kept[node] != NOTHING && seen == kept[node] -> read_kept()
        :: else -> load()
        fi
    };
#endif

look:
    atomic {
        connected = primary; target = written;
        if
        :: SEES(key) -> goto confirm
        :: !SEES(key) && !beside[who] -> tell(STALE); goto end
        :: else -> connected = 0; target = 0
        fi
    };
#ifdef KEY_FIRST
    atomic {
        if
        :: kept[node] != NOTHING && seen == kept[node] -> read_kept()
        :: else -> load()
        fi
    };
#endif

send:
    if
    :: atomic { written == seen && GUARD(seq, timeline) -> append(key, head); connected = primary }
    :: atomic {
           written == seen && !(GUARD(seq, timeline)) -> forget();
           if
           :: beside[who] -> goto newest
           :: else
           fi;
           target = seq; connected = timeline; load();
           if
           :: seq == target && timeline == connected -> goto look     /* nobody came first: the clock did */
           :: else -> connected = 0; target = 0; if_it_stands()
           fi
       }
    :: atomic { written != seen && TROUBLE; tell(AGAIN); goto end }     /* the row is locked for too long */
    :: atomic {
           !late && TROUBLE;
           late = true; late_key = key; late_seq = seq; late_head = head; late_timeline = timeline;
           goto find_out
       }
    fi;

    if
    :: atomic { primary == connected && copied > seq -> written_now() }
    :: atomic { primary == connected && copied <= seq && TROUBLE; seen = written;
#ifdef ACK_ALONE
           written_now()
#else
           goto find_out
#endif
       }
    :: atomic { primary == connected && TROUBLE; goto find_out }
    :: atomic { primary != connected -> goto find_out }
    fi;

find_out:
    atomic {
        connected = primary; target = written;
        if
        :: seen > seq && log[seq + 1] == key -> goto confirm
        :: else -> tell(AGAIN); goto end
        fi
    };

confirm:
#ifdef CONFIRM_ELSEWHERE
    atomic { connected = primary; target = written };
#endif
    if
    :: atomic {
#ifdef FOUND_ALONE
           true
#else
           primary == connected && copied >= target
#endif
           -> load(); tell(DONE); goto end
       }
    :: atomic { primary != connected -> tell(AGAIN); goto end }
    :: atomic { TROUBLE; tell(AGAIN); goto end }
    fi
}

proctype Client(byte who) {
    byte key = who * CHOICES + 1, at, node;

    do
    :: atomic {
           if
           :: !locked[0] -> node = 0
           :: !locked[1] -> node = 1
           fi;
           answer[who] = WAITING;
           requests[who]!key, at, node
       }
       if
       :: answer[who] != WAITING
       :: atomic { who == IMPATIENT && TROUBLE; answer[who] = AGAIN; listens[who] = 0 }
       fi;
       atomic {
           if
           :: answer[who] == DONE -> break
           :: answer[who] == AGAIN
           :: answer[who] == STALE -> key++; at = seen;
              if
              :: key > (who + 1) * CHOICES -> break
              :: else
              fi
           fi
       }
    od;
    served++
}

/* The standby gets the log in its order. What it has, everybody may see. */
active proctype Standby() {
end:
    do
    :: d_step { copied < written -> copied = written; seen = written }
    od
}

active proctype Network() {
end:
    do
    :: atomic {
           late && written == seen && GUARD(late_seq, late_timeline) -> append(late_key, late_head);
           late = false; late_key = 0; late_seq = 0; late_head = 0; late_timeline = 0
       }
    :: d_step { late -> late = false; late_key = 0; late_seq = 0; late_head = 0; late_timeline = 0 }
    od
}

/* The primary is lost. What the standby has is the log now, and another standby starts from there. */
active proctype Failover() {
    byte times, i;
end:
    do
    :: d_step {
           times < FAILOVERS && served < CLIENTS -> times++; primary++;
           for (i : 1 .. EVENTS - 1) {
               if
               :: i > copied -> log[i] = 0; game[i] = 0
               :: else
               fi
           }
           written = copied; seen = copied;
           late = false; late_key = 0; late_seq = 0; late_head = 0; late_timeline = 0;
           for (i : 1 .. KEYS) {
               assert(!acknowledged[i] || HAS(i))
           }
           i = 0
       }
    od
}

init {
    atomic {
        if
        :: beside[0] = true
        :: beside[1] = true
        :: true
        fi;
        run Client(0); run Client(1);
        run Request(0); run Request(0); run Request(1)
    }
}
