import Foundation

extension NetworkRequest {
    /// What follows a redirect (RFC 9110, section 15.4); nil for one that is not to be followed.
    ///
    /// To another origin goes only a GET or HEAD without `Authorization`, so neither credentials nor a body; and nothing
    /// goes from https to http.
    func redirected(by response: StreamedResponse) -> NetworkRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), scheme == "https" || scheme == "http" && url.scheme != "https",
            target.host()?.isEmpty == false
        else { return nil }
        var redirected = self
        redirected.url = target
        let becomesGet = response.status == 303 && method != "HEAD" || response.status < 303 && method == "POST"
        if becomesGet {
            redirected.method = "GET"
            redirected.body = nil
            redirected.upload = nil
            redirected.headers["Content-Type"] = nil
        }
        let isElsewhere = Origin(target) != Origin(url)
        guard !isElsewhere || ["GET", "HEAD"].contains(redirected.method) && headers["Authorization"] == nil else {
            return nil
        }
        if isElsewhere { redirected.headers["Cookie"] = nil }
        return redirected
    }
}
