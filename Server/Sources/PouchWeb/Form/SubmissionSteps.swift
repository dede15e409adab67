import Foundation
import PouchContract
import PouchHTTP
import PouchJSON
import PouchWire

extension Submission {
    /// The submission with the visitor's session, if one is active. For forms that do not require a session.
    func withSession() async throws -> Submission {
        var submission = self
        submission.visit = try await Visits(site: site).admitted(visit, to: .guestOrCustomer)
        return submission
    }
}

extension Visit {
    /// The page of this server to which a form leads, as the address says.
    var next: String? { Redirect.localPath(query("next")) }

    /// The path of a form or a page that leads to the same page in the end.
    func passing(next path: String) -> String { PagePath.adding([("next", next)], to: path) }
}
