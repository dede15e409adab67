-- Sends the requests of a file, one a line with \31 for a line break, in turn.
local requests, index = {}, 0

function init(args)
    for line in io.lines(args[1]) do requests[#requests + 1] = line:gsub("\31", "\r\n") end
end

function request()
    index = index % #requests + 1
    return requests[index]
end

function done(summary)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration, summary.bytes,
        errors.status + errors.connect + errors.read + errors.timeout))
end
