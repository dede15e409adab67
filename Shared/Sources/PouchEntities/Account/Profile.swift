/// Who an account belongs to.
public struct Profile: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let email: String
    public let mobileNumber: String?
    public let avatarURL: String?

    public init(id: String, name: String, email: String, mobileNumber: String? = nil, avatarURL: String? = nil) {
        self.id = id
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
    }
}
