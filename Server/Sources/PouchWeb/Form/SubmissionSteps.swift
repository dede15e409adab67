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
    /// The path on this server to go to after a form, from the address.
    var next: String? { Redirect.localPath(query("next")) }

    /// The path of a form or page that leads on to the same path.
    func passing(next path: String) -> String { PagePath.adding([("next", next)], to: path) }
}
