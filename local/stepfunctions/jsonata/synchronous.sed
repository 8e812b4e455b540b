# Makes the evaluator of jsonata.js synchronous. It is asynchronous for the sake of functions that
# wait, which state machines can't have. Evaluating an expression then takes a tenth of the time.
s/\basync (function|\()/\1/g
s/\bawait Promise\.all\(/(/g
s/\bawait //g

# It looks for functions to call at every step, from frame to frame; runtime.js has them here.
s/[a-zA-Z]+\.lookup\(Symbol\.for\('jsonata\.__evaluate_entry'\)\)/window.enter/
s/[a-zA-Z]+\.lookup\(Symbol\.for\('jsonata\.__evaluate_exit'\)\)/window.leave/
s/[a-zA-Z]+\.lookup\(Symbol\.for\('jsonata\.__createFrame_push'\)\)/undefined/

# It merges by recursion, one level and one copy of the rest for each element.
s/^( *)merge_iter\(merged, l, r\);/\1for (var i = 0, j = 0; i < l.length || j < r.length;) {\
\1    if (j === r.length || (i < l.length \&\& !comp(l[i], r[j]))) {\
\1        merged.push(l[i++]);\
\1    } else {\
\1        merged.push(r[j++]);\
\1    }\
\1}/

# The engine allows 65,535 arguments.
s/Math\.(max|min)\.apply\(Math, args\)/args.reduce(function (a, b) { return Math.\1(a, b); })/

# Counts the characters of a text without an array of them.
s/return stringToArray\(str\)\.length;/var count = 0; for (var character of str) { count++; } return count;/

# What JavaScript adds to every object is no member.
s/^( *)result = input\[key\];/&\
\1if ((typeof result === 'function' || key === '__proto__') \&\& !Object.prototype.hasOwnProperty.call(input, key)) {\
\1    result = undefined;\
\1}/
