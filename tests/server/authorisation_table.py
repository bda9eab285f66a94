"""Who may do what, as a table: one line for every route, one column for everybody who might ask.

A number is the status of a success, anything else the code of a refusal; a long code has a word of its own.
"""

from tests.server.authorisation_world import Who

WORDS = {
    "who?": "unauthenticated",
    "scope": "missing_scope",
    "hidden": "no_such_table",
    "none": "no_such_thing",
    "seat!": "not_seated",
    "host!": "not_host",
    "turn!": "not_your_turn",
    "name!": "needs_account",
    "sits": "already_seated",
    "stage": "wrong_stage",
    "proof": "wrong_proof",
    "never": "forbidden",
    "whose?": "no_such_player",
}

LISTED = """
route                 nobody  stranger  seat   other  spectator  kicked  scopeless  revoked  admin
show_table            200     200       200    200    200        kicked  scope      200      200
record                200     200       200    200    200        kicked  scope      200      200
replay                200     200       200    200    200        kicked  scope      200      200
table_stream          200     200       200    200    200        kicked  scope      200      200
line                  200     200       200    200    200        kicked  scope      200      200
branch                who?    201       201    201    201        kicked  scope      who?     201
rematch               who?    seat!     201    201    seat!      kicked  scope      who?     seat!
sit                   who?    200       sits   sits   200        kicked  scope      who?     200
leave                 who?    seat!     200    200    seat!      kicked  scope      who?     seat!
promise               who?    seat!     200    200    seat!      kicked  scope      who?     seat!
nonce                 who?    seat!     200    200    seat!      kicked  scope      who?     seat!
start                 who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
kick                  who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
bots                  who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
bots_remove           who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
order                 who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
terms                 who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
mute                  who?    seat!     200    host!  seat!      kicked  scope      who?     seat!
actions               who?    seat!     200    turn!  seat!      kicked  scope      who?     seat!
undo                  who?    seat!     200    turn!  seat!      kicked  scope      who?     seat!
resign                who?    seat!     200    200    seat!      kicked  scope      who?     seat!
take_back             who?    seat!     stage  stage  seat!      kicked  scope      who?     seat!
abandon               who?    seat!     200    200    seat!      kicked  scope      who?     seat!
chat                  who?    201       201    201    201        kicked  scope      who?     201
remove_line           who?    never     204    never  never      kicked  scope      who?     204
ask_hint              who?    seat!     202    turn!  seat!      kicked  scope      who?     seat!
read_hint             who?    none      202    none   none       none    scope      who?     none
ask_analysis          who?    202       202    202    202        kicked  scope      who?     202
read_analysis         202     202       202    202    202        kicked  scope      202      202
"""
"""At a table that everybody may find."""

PRIVATE = """
route                 nobody  stranger  seat   other  spectator  kicked  scopeless  revoked  admin
show_table            hidden  hidden    200    200    200        kicked  scope      hidden   hidden
record                hidden  hidden    200    200    200        kicked  scope      hidden   hidden
replay                hidden  hidden    200    200    200        kicked  scope      hidden   hidden
table_stream          hidden  hidden    200    200    200        kicked  scope      hidden   hidden
line                  hidden  hidden    200    200    200        kicked  scope      hidden   hidden
branch                who?    hidden    201    201    201        kicked  scope      who?     hidden
rematch               who?    hidden    201    201    hidden     kicked  scope      who?     hidden
sit                   who?    hidden    sits   sits   200        kicked  scope      who?     hidden
leave                 who?    hidden    200    200    hidden     kicked  scope      who?     hidden
promise               who?    hidden    200    200    hidden     kicked  scope      who?     hidden
nonce                 who?    hidden    200    200    hidden     kicked  scope      who?     hidden
start                 who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
kick                  who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
bots                  who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
bots_remove           who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
order                 who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
terms                 who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
mute                  who?    hidden    200    host!  hidden     kicked  scope      who?     hidden
actions               who?    hidden    200    turn!  hidden     kicked  scope      who?     hidden
undo                  who?    hidden    200    turn!  hidden     kicked  scope      who?     hidden
resign                who?    hidden    200    200    hidden     kicked  scope      who?     hidden
take_back             who?    hidden    stage  stage  hidden     kicked  scope      who?     hidden
abandon               who?    hidden    200    200    hidden     kicked  scope      who?     hidden
chat                  who?    hidden    201    201    201        kicked  scope      who?     hidden
remove_line           who?    hidden    204    never  never      kicked  scope      who?     204
ask_hint              who?    hidden    202    turn!  hidden     kicked  scope      who?     hidden
read_hint             who?    none      202    none   none       none    scope      who?     none
ask_analysis          who?    hidden    202    202    202        kicked  scope      who?     hidden
read_analysis         hidden  hidden    202    202    202        kicked  scope      hidden   hidden
"""
"""At a private table; its spectator shows the invitation code wherever it is asked for."""

ELSEWHERE = """
route                 nobody  stranger  seat   other  spectator  kicked  scopeless  revoked  admin
open_table            who?    201       201    201    201        201     scope      who?     201
take_up               who?    201       201    201    201        201     scope      who?     201
lobby                 200     200       200    200    200        200     200        200      200
lobby_stream          200     200       200    200    200        200     200        200      200
featured_replay       200     200       200    200    200        200     200        200      200
match                 who?    200       200    200    200        200     scope      who?     200
rulesets              200     200       200    200    200        200     200        200      200
my_games              who?    200       200    200    200        200     scope      who?     200
my_stream             who?    200       200    200    200        200     scope      who?     200
my_challenges         who?    200       200    200    200        200     scope      who?     200
challenge             who?    none      200    200    none       none    scope      who?     none
make_challenge        who?    name!     201    name!  name!      name!   scope      who?     201
withdraw_challenge    who?    none      never  200    none       none    scope      who?     none
accept_challenge      who?    none      200    never  none       none    scope      who?     none
decline_challenge     who?    none      200    never  none       none    scope      who?     none
player                200     200       200    200    200        200     200        200      200
games_of_player       200     200       200    200    200        200     200        200      200
rating_of_player      200     200       200    200    200        200     200        200      200
ladder                200     200       200    200    200        200     200        200      200
bot_ladder            200     200       200    200    200        200     200        200      200
become_guest          201     200       200    200    200        200     scope      201      200
sign_out              204     204       204    204    204        204     never      204      204
who_am_i              200     200       200    200    200        200     scope      200      200
ways_in               200     200       200    200    200        200     200        200      200
go_to_club            303     303       303    303    303        303     303        303      303
back_from_club        303     303       303    303    303        303     303        303      303
begin_sign_in         200     200       200    200    200        200     200        200      200
finish_sign_in        proof   proof     proof  proof  proof      proof   proof      proof    proof
recovery_sign_in      proof   proof     proof  proof  proof      proof   proof      proof    proof
device_sign_in        proof   proof     proof  proof  proof      proof   proof      proof    proof
me                    who?    200       200    200    200        200     scope      who?     200
change_me             who?    200       200    200    200        200     scope      who?     200
export_me             who?    200       200    200    200        200     scope      who?     200
delete_me             who?    204       204    204    204        204     scope      who?     204
my_sessions           who?    200       200    200    200        200     scope      who?     200
end_session           who?    none      204    none   none       none    scope      who?     none
end_other_sessions    who?    200       200    200    200        200     scope      who?     200
begin_passkey         who?    200       200    200    200        200     scope      who?     200
finish_passkey        who?    proof     proof  proof  proof      proof   scope      who?     proof
prove_myself          who?    proof     proof  proof  proof      proof   scope      who?     proof
my_passkeys           who?    200       200    200    200        200     scope      who?     200
rename_passkey        who?    none      200    none   none       none    scope      who?     none
remove_passkey        who?    none      204    none   none       none    scope      who?     none
renew_recovery_codes  who?    name!     201    name!  name!      name!   scope      who?     201
make_device_code      who?    201       201    201    201        201     scope      who?     201
end_device_code       who?    none      204    none   none       none    scope      who?     none
my_tokens             who?    200       200    200    200        200     scope      who?     200
make_token            who?    201       201    201    201        201     scope      who?     201
revoke_token          who?    none      204    none   none       none    scope      who?     none
my_bots               who?    200       200    200    200        200     scope      who?     200
make_bot              who?    name!     name!  name!  name!      name!   scope      who?     201
renew_bot_token       who?    whose?    201    whose? whose?     whose?  scope      who?     whose?
delete_bot            who?    whose?    204    whose? whose?     whose?  scope      who?     whose?
my_blocks             who?    200       200    200    200        200     scope      who?     200
block_player          who?    204       204    204    204        204     scope      who?     204
unblock_player        who?    204       204    204    204        204     scope      who?     204
report_player         who?    201       201    201    201        201     scope      who?     201
push_key              200     200       200    200    200        200     200        200      200
my_browsers           who?    200       200    200    200        200     scope      who?     200
subscribe_push        who?    201       201    201    201        201     scope      who?     201
unsubscribe_push      who?    none      204    none   none       none    scope      who?     none
my_webhook            who?    none      200    none   none       none    scope      who?     none
set_webhook           who?    200       200    200    200        200     scope      who?     200
remove_webhook        who?    204       204    204    204        204     scope      who?     204
reports               who?    scope     scope  scope  scope      scope   scope      who?     200
close_report          who?    scope     scope  scope  scope      scope   scope      who?     204
ban_player            who?    scope     scope  scope  scope      scope   scope      who?     204
lift_ban              who?    scope     scope  scope  scope      scope   scope      who?     204
report_failure        204     204       204    204    204        204     204        204      204
picture               200     200       200    200    200        200     200        200      200
health                200     200       200    200    200        200     200        200      200
ready                 200     200       200    200    200        200     200        200      200
metrics               200     200       200    200    200        200     200        200      200
openapi               200     200       200    200    200        200     200        200      200
docs                  200     200       200    200    200        200     200        200      200
"""
"""Away from tables; what a path names belongs to the first seat's player. All ask from this machine."""

Line = dict[Who, int | str]


def lines_of(table: str) -> dict[str, Line]:
    """A table, read: the outcome of each cell by route and asker."""
    head, *rows = (line.split() for line in table.strip().splitlines())
    columns = [Who(word) for word in head[1:]]
    assert set(columns) == set(Who), "a column for everybody"
    lines = {row[0]: dict(zip(columns, map(_outcome, row[1:]), strict=True)) for row in rows}
    assert len(lines) == len(rows), "one line for each route"
    return lines


def _outcome(word: str) -> int | str:
    return int(word) if word.isdigit() else WORDS.get(word, word)
