"""A small supervisor of services whose processes are a table in a file, and the programs of the services.

A shell command leaves no process behind. So the supervisor keeps what a process would hold, its number, its port and the settings that it
read when it started, in `run/table.json`, and makes the process again from there whenever somebody asks it.
"""

SUPERVISOR = """\
'''Runs services. Usage:
  python3 bin/svc.py start NAME...        start services
  python3 bin/svc.py stop NAME... | all   stop services
  python3 bin/svc.py status               list what runs
  python3 bin/svc.py boot                 start each service with `boot = yes`, in alphabetical order, but after those it needs
  python3 bin/svc.py ask PORT REQUEST...  send requests to a port, and print the answers
'''
import json, sys
from pathlib import Path

TABLE = Path('run/table.json')

class Refused(Exception): pass

def table():
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}

def save(running):
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(json.dumps(running, indent=1, sort_keys=True) + '\\n')

def need_file(path):
    if not Path(path).is_file():
        raise Refused(f'there is no file {path}')

def settings(path):
    need_file(path)
    found = {}
    for line in Path(path).read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            name, sign, value = map(str.strip, line.partition('='))
            if not sign or name in found:
                raise Refused(f'{path}: cannot read the line {line!r}')
            found[name] = value
    return found

def load(path):
    program = {}
    exec(Path(path).read_text(), program)
    return program

def unit(name):
    found = settings(f'units/{name}.unit')
    if set(found) != {'program', 'config', 'port', 'needs', 'boot'}:
        raise Refused(f'units/{name}.unit must set program, config, port, needs and boot')
    return found

def start(name):
    running, found = table(), unit(name)
    if name in running:
        raise Refused('it runs already')
    lock = Path(f'run/{name}.lock')
    if lock.exists():
        raise Refused(f'process {lock.read_text().strip()} holds {lock}')
    ports = {entry['port']: other for other, entry in running.items()}
    if found['port'] in ports:
        raise Refused(f'port {found["port"]} is taken by {ports[found["port"]]}')
    for need in found['needs'].split():
        if need not in running:
            raise Refused(f'it needs {need}, which does not run')
    config, program = settings(found['config']), load(found['program'])
    if wrong := sorted({*config} ^ {*program['OPTIONS']}):
        raise Refused(f'{found["config"]}: missing or unknown: {", ".join(wrong)}')
    for option in program['PORTS']:
        if config[option] not in ports:
            raise Refused(f'nothing listens on {option}, port {config[option]}')
    if 'file' in config:
        need_file(config['file'])
    number = 1 + max([100, *(entry['process'] for entry in running.values())])
    running[name] = {'process': number, 'port': found['port'], 'program': found['program'], 'settings': config}
    save(running)

def ask(port, request, depth=0):
    if depth > 20:
        raise Refused('services ask each other in a circle')
    for name, entry in table().items():
        if entry['port'] == str(port):
            try:
                return load(entry['program'])['answer'](entry['settings'], request, lambda to, what: ask(to, what, depth + 1))
            except (ArithmeticError, LookupError, ValueError, TypeError, OSError) as error:
                raise Refused(f'{name} failed: {error!r}')
    raise Refused(f'nothing listens on port {port}')

def boot():
    units = {path.stem: unit(path.stem) for path in sorted(Path('units').glob('*.unit'))}
    waiting, good = [name for name in units if units[name]['boot'] == 'yes'], True
    while waiting:
        ready = [name for name in waiting if not {*units[name]['needs'].split()} & {*waiting}]
        name = (ready or waiting)[0]
        good &= attempt(start, name)
        waiting.remove(name)
    return good

def attempt(action, name):
    try:
        action(name)
        print(f'{name}: {action.__name__} done')
        return True
    except Refused as why:
        print(f'{name}: {action.__name__} refused: {why}')
        return False

def stop(name):
    running = table()
    if name not in running:
        raise Refused('it does not run')
    del running[name]
    save(running)

def answered(port, request):
    try:
        print(json.dumps(ask(port, request)))
        return True
    except Refused as why:
        print(f'no answer: {why}')
        return False

def main(action, *words):
    if action == 'status':
        for name, entry in sorted(table().items()):
            print(f'process {entry["process"]}: {name} on port {entry["port"]}')
        return True
    if action == 'boot':
        return boot()
    if action == 'ask':
        return all([answered(words[0], request) for request in words[1:]])
    if action == 'stop' and words == ('all',):
        words = sorted(table())
    return all([attempt({'start': start, 'stop': stop}[action], name) for name in words])

try:
    sys.exit(not main(*sys.argv[1:]))
except (KeyError, TypeError, IndexError):
    sys.exit(__doc__)
except Refused as why:
    sys.exit(f'refused: {why}')
"""
PROGRAMS = {
    "lookup": """\
# Answers with the value in a column of the line of a CSV file whose first value is the request, or with "unknown".
import csv
OPTIONS, PORTS = ('file', 'column'), ()

def answer(settings, request, ask):
    with open(settings['file'], newline='') as file:
        for row in csv.DictReader(file):
            if row['key'] == request:
                return row[settings['column']]
    return 'unknown'
""",
    "scale": """\
# Answers with what `upstream` answers, times `times` and divided by `per`, rounded down; "unknown" stays.
OPTIONS, PORTS = ('upstream', 'times', 'per'), ('upstream',)

def answer(settings, request, ask):
    value = ask(settings['upstream'], request)
    return value if value == 'unknown' else str(int(value) * int(settings['times']) // int(settings['per']))
""",
    "route": """\
# Passes a request that begins with one of the `letters` to the port `matching`, and any other to the port `others`.
OPTIONS, PORTS = ('letters', 'matching', 'others'), ('matching', 'others')

def answer(settings, request, ask):
    return ask(settings['matching' if request[:1] in tuple(settings['letters']) else 'others'], request)
""",
    "clamp": """\
# Answers with what `upstream` answers, but at least with `least` and at most with `most`; "unknown" stays.
OPTIONS, PORTS = ('upstream', 'least', 'most'), ('upstream',)

def answer(settings, request, ask):
    value = ask(settings['upstream'], request)
    return value if value == 'unknown' else str(min(max(int(value), int(settings['least'])), int(settings['most'])))
""",
    "total": """\
# Takes a request of several keys with a `separator` between them, and answers with the sum; "unknown" if one of them is unknown.
OPTIONS, PORTS = ('upstream', 'separator'), ('upstream',)

def answer(settings, request, ask):
    values = [ask(settings['upstream'], key) for key in request.split(settings['separator'])]
    return 'unknown' if 'unknown' in values else str(sum(map(int, values)))
""",
    "label": """\
# Answers with what `upstream` answers, a blank and the `unit`; "unknown" stays.
OPTIONS, PORTS = ('upstream', 'unit'), ('upstream',)

def answer(settings, request, ask):
    value = ask(settings['upstream'], request)
    return value if value == 'unknown' else value + ' ' + settings['unit']
""",
}
