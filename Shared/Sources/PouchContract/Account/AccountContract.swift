import PouchEntities
import PouchWire

extension Contract {
    public static let signUp = Exchange<SignUpRequest, UserSession>(
        .signUp, status: 201, .takesGuest, problems: [.emailTaken])
    public static let signIn = Exchange<SignInRequest, UserSession>(
        .signIn, status: 201, .takesGuest, problems: [.invalidCredentials, .tooManyAttempts])
    public static let startGuestSession = Exchange<NoBody, UserSession>(.startGuestSession, status: 201)
    public static let refreshSession = Exchange<RefreshRequest, UserSession>(
        .refreshSession, problems: [.unauthenticated, .tokenExpired, .tokenReused])
    public static let signOut = Exchange<NoBody, NoContent>(.signOut, status: 204)

    public static let profile = Exchange<NoBody, Profile>(.profile)
    public static let updateProfile = Exchange<ProfilePatch, Profile>(.updateProfile)
    public static let deleteAccount = Exchange<DeleteAccountRequest, NoContent>(
        .deleteAccount, status: 204, problems: [.invalidCredentials, .tooManyAttempts])
    public static let changePassword = Exchange<PasswordChangeRequest, NoContent>(
        .changePassword, status: 204, problems: [.invalidCredentials, .tooManyAttempts])

    public static let addresses = Exchange<NoBody, Page<Address>>(.addresses)
    public static let addAddress = Exchange<AddressInput, Address>(
        .addAddress, status: 201, problems: [.limitReached])
    public static let updateAddress = Exchange<AddressPatch, Address>(.updateAddress)
    public static let deleteAddress = Exchange<NoBody, NoContent>(.deleteAddress, status: 204)

    static let account: [any AnyExchange] = [
        signUp, signIn, startGuestSession, refreshSession, signOut,
        profile, updateProfile, deleteAccount, changePassword,
        addresses, addAddress, updateAddress, deleteAddress,
    ]
}
