import Foundation
import PouchContract
import PouchHTTP
import PouchJSON
import PouchWire

extension Submission {
    /// The same with the session of the visitor, if there is one that has not ended, for a form that needs none.
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
