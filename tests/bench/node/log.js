// One JSON object a line, with the fields that Byoshin's functions log.
'use strict';

exports.log = (level, requestId, message, fields) => {
  console.log(JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message, ...fields }));
};
