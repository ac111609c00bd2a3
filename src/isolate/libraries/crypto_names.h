// The names of OpenSSL's libcrypto that are called, all of them in 3.0. Macros
// of its headers that call other functions are of no use here: see Crypto.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_CRYPTO_NAMES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_CRYPTO_NAMES_H_

// HMAC_CTX and DH are called, which 3.0 means to replace.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// clang-format off
#define SW_CRYPTO_BASE(X)                                                     \
  X(OpenSSL_version_num) X(CRYPTO_memcmp) X(CRYPTO_free)                      \
  X(CRYPTO_secure_malloc_initialized) X(CRYPTO_secure_used) X(ERR_get_error)  \
  X(ERR_peek_error) X(ERR_peek_last_error) X(ERR_clear_error)                 \
  X(ERR_error_string_n) X(ERR_lib_error_string) X(ERR_reason_error_string)    \
  X(EVP_default_properties_is_fips_enabled) X(RAND_bytes) X(OBJ_nid2sn)       \
  X(OBJ_nid2ln) X(OBJ_sn2nid) X(OBJ_txt2nid) X(OBJ_obj2nid) X(OBJ_obj2txt)    \
  X(OBJ_nid2obj) X(OBJ_find_sigid_algs) X(ERR_set_mark) X(ERR_pop_to_mark)    \
  X(BIO_new) X(BIO_s_mem) X(BIO_s_secmem) X(BIO_new_mem_buf) X(BIO_free_all)  \
  X(BIO_ctrl) X(BIO_write) X(BIO_printf) X(BIO_puts)

#define SW_CRYPTO_DIGESTS(X)                                                  \
  X(EVP_MD_fetch) X(EVP_MD_free) X(EVP_MD_get_size) X(EVP_MD_get_flags)       \
  X(EVP_MD_get0_name) X(EVP_MD_get_type) X(EVP_MD_get_block_size)             \
  X(EVP_get_digestbyname) X(EVP_MD_do_all_provided) X(EVP_MD_names_do_all)    \
  X(EVP_MD_do_all_sorted) X(EVP_MD_CTX_new) X(EVP_MD_CTX_free)                \
  X(EVP_MD_CTX_copy_ex) X(EVP_DigestInit_ex) X(EVP_DigestUpdate)              \
  X(EVP_DigestFinal_ex) X(EVP_DigestFinalXOF) X(EVP_MAC_fetch)                \
  X(EVP_MAC_free) X(EVP_MAC_CTX_new) X(EVP_MAC_CTX_free) X(EVP_MAC_init)      \
  X(EVP_MAC_update) X(EVP_MAC_final) X(HMAC) X(HMAC_CTX_new)                  \
  X(HMAC_CTX_free) X(HMAC_Init_ex) X(HMAC_Update) X(HMAC_Final)               \
  X(HMAC_CTX_copy) X(EVP_PBE_scrypt) X(EVP_DigestInit_ex2)    \
  X(EVP_MAC_do_all_provided) X(EVP_MAC_names_do_all) X(EVP_MAC_get0_name)

#define SW_CRYPTO_CIPHERS(X)                                                  \
  X(EVP_CIPHER_fetch) X(EVP_CIPHER_free) X(EVP_get_cipherbyname)              \
  X(EVP_CIPHER_get0_name) X(EVP_CIPHER_get_nid) X(EVP_CIPHER_get_block_size)  \
  X(EVP_CIPHER_get_key_length) X(EVP_CIPHER_get_iv_length)                    \
  X(EVP_CIPHER_get_flags) X(EVP_CIPHER_get_mode) X(EVP_CIPHER_CTX_new)        \
  X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_CTX_ctrl) X(EVP_CIPHER_CTX_set_flags)   \
  X(EVP_CIPHER_CTX_set_key_length) X(EVP_CIPHER_CTX_set_padding)              \
  X(EVP_CIPHER_CTX_get_key_length) X(EVP_CIPHER_CTX_get_iv_length)            \
  X(EVP_CIPHER_do_all_sorted) X(EVP_CIPHER_do_all_provided)                   \
  X(EVP_CIPHER_names_do_all) X(EVP_CipherInit_ex) X(EVP_CipherUpdate)         \
  X(EVP_CipherFinal_ex)

#define SW_CRYPTO_NUMBERS(X)                                                  \
  X(BN_new) X(BN_secure_new) X(BN_free) X(BN_clear_free) X(BN_bin2bn)         \
  X(BN_bn2bin) X(BN_bn2binpad) X(BN_num_bits) X(BN_set_word) X(BN_get_word)   \
  X(BN_cmp) X(BN_is_zero) X(BN_is_one) X(BN_is_odd) X(BN_generate_prime_ex2)  \
  X(BN_check_prime) X(BN_GENCB_new) X(BN_GENCB_free) X(BN_GENCB_set)          \
  X(BN_GENCB_get_arg) X(BN_CTX_new) X(BN_CTX_free) X(BN_bn2hex) X(BN_print)   \
  X(BN_MONT_CTX_new) X(BN_MONT_CTX_free) X(BN_MONT_CTX_set)                   \
  X(BN_to_montgomery) X(BN_mod_mul_montgomery) X(BN_priv_rand_range)          \
  X(BN_mod_word) X(BN_sub_word) X(BN_add_word) X(BN_rshift) X(BN_is_bit_set)  \
  X(BN_copy) X(BN_value_one) X(DH_check_params) X(DH_get_nid)                 \
  X(BN_dup) X(ASN1_INTEGER_to_BN) X(BN_get_rfc2409_prime_768)                 \
  X(BN_get_rfc2409_prime_1024) X(BN_get_rfc3526_prime_1536)                   \
  X(BN_get_rfc3526_prime_2048) X(BN_get_rfc3526_prime_3072)                   \
  X(BN_get_rfc3526_prime_4096) X(BN_get_rfc3526_prime_6144)                   \
  X(BN_get_rfc3526_prime_8192)

#define SW_CRYPTO_KEYS(X)                                                     \
  X(EVP_PKEY_new) X(EVP_PKEY_free) X(EVP_PKEY_up_ref) X(EVP_PKEY_get_id)      \
  X(EVP_PKEY_get_base_id) X(EVP_PKEY_get_size) X(EVP_PKEY_get_bits)           \
  X(EVP_PKEY_eq) X(EVP_PKEY_is_a) X(EVP_PKEY_get0_type_name)                  \
  X(EVP_PKEY_get_bn_param) X(EVP_PKEY_get_utf8_string_param)                  \
  X(EVP_PKEY_get_octet_string_param) X(EVP_PKEY_get_int_param)                \
  X(EVP_PKEY_get_group_name) X(EVP_PKEY_set_utf8_string_param)                \
  X(EVP_PKEY_new_raw_private_key_ex) X(EVP_PKEY_new_raw_public_key_ex)        \
  X(EVP_PKEY_get_raw_private_key) X(EVP_PKEY_get_raw_public_key)              \
  X(EVP_PKEY_fromdata_init) X(EVP_PKEY_fromdata) X(EVP_PKEY_CTX_new)          \
  X(EVP_PKEY_CTX_new_from_name) X(EVP_PKEY_CTX_new_from_pkey)                 \
  X(EVP_PKEY_CTX_new_id) X(EVP_PKEY_CTX_free) X(EVP_PKEY_CTX_set_params)      \
  X(EVP_PKEY_CTX_set_cb) X(EVP_PKEY_CTX_set_app_data)                         \
  X(EVP_PKEY_CTX_get_app_data) X(EVP_PKEY_keygen_init)                        \
  X(EVP_PKEY_paramgen_init) X(EVP_PKEY_keygen) X(EVP_PKEY_paramgen)           \
  X(EVP_PKEY_CTX_set_rsa_keygen_bits) X(EVP_PKEY_CTX_set1_rsa_keygen_pubexp)  \
  X(EVP_PKEY_CTX_set_rsa_padding) X(EVP_PKEY_CTX_set_rsa_pss_saltlen)         \
  X(EVP_PKEY_CTX_ctrl_str)                                                    \
  X(EVP_PKEY_CTX_set_rsa_mgf1_md) X(EVP_PKEY_CTX_set_rsa_oaep_md)             \
  X(EVP_PKEY_CTX_set_rsa_pss_keygen_md)                                       \
  X(EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md)                                  \
  X(EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen)                                  \
  X(EVP_PKEY_CTX_set0_rsa_oaep_label) X(EVP_PKEY_CTX_set_signature_md)        \
  X(EVP_PKEY_CTX_set_dsa_paramgen_bits)                                       \
  X(EVP_PKEY_CTX_set_dsa_paramgen_q_bits)                                     \
  X(EVP_PKEY_CTX_set_ec_paramgen_curve_nid) X(EVP_PKEY_CTX_set_ec_param_enc)  \
  X(EVP_PKEY_CTX_set_dh_paramgen_prime_len)                                   \
  X(EVP_PKEY_CTX_set_dh_paramgen_generator) X(EVP_PKEY_CTX_set_dh_pad)        \
  X(EVP_PKEY_sign_init) X(EVP_PKEY_sign) X(EVP_PKEY_verify_init)              \
  X(EVP_PKEY_verify) X(EVP_PKEY_encrypt_init) X(EVP_PKEY_encrypt)             \
  X(EVP_PKEY_decrypt_init) X(EVP_PKEY_decrypt)                                \
  X(EVP_PKEY_verify_recover_init) X(EVP_PKEY_verify_recover)                  \
  X(EVP_PKEY_derive_init) X(EVP_PKEY_derive_set_peer) X(EVP_PKEY_derive)      \
  X(EVP_PKEY_encapsulate_init) X(EVP_PKEY_encapsulate)                        \
  X(EVP_PKEY_decapsulate_init) X(EVP_PKEY_decapsulate) X(EVP_DigestSignInit)  \
  X(EVP_DigestSign) X(EVP_DigestVerifyInit) X(EVP_DigestVerify)               \
  X(EVP_PKEY_public_check) X(EVP_PKEY_check) X(OSSL_PARAM_BLD_new)            \
  X(OSSL_PARAM_BLD_free) X(OSSL_PARAM_BLD_push_BN)                            \
  X(OSSL_PARAM_BLD_push_utf8_string) X(OSSL_PARAM_BLD_push_octet_string)      \
  X(OSSL_PARAM_BLD_push_uint) X(OSSL_PARAM_BLD_push_int)                      \
  X(OSSL_PARAM_BLD_to_param) X(OSSL_PARAM_free)                               \
  X(OSSL_PARAM_construct_utf8_string) X(OSSL_PARAM_construct_octet_string)    \
  X(OSSL_PARAM_construct_uint) X(OSSL_PARAM_construct_uint32)                 \
  X(OSSL_PARAM_construct_uint64) X(OSSL_PARAM_construct_size_t)               \
  X(OSSL_PARAM_construct_int) X(OSSL_PARAM_construct_end) X(ECDSA_SIG_new)    \
  X(ECDSA_SIG_free) X(ECDSA_SIG_get0) X(ECDSA_SIG_set0) X(d2i_ECDSA_SIG)      \
  X(i2d_ECDSA_SIG) X(EC_GROUP_new_by_curve_name) X(EC_GROUP_free)             \
  X(EC_GROUP_get_order) X(EC_GROUP_get_degree) X(EC_GROUP_get0_generator)     \
  X(EC_POINT_new) X(EC_POINT_free) X(EC_POINT_oct2point)                      \
  X(EC_POINT_point2oct) X(EC_POINT_is_on_curve) X(EC_POINT_is_at_infinity)    \
  X(EC_POINT_mul) X(EC_get_builtin_curves) X(EC_curve_nist2nid)               \
  X(EC_KEY_new) X(EC_KEY_free) X(EC_KEY_set_group) X(EC_KEY_generate_key)     \
  X(EC_KEY_get0_private_key) X(EC_KEY_get0_public_key)                        \
  X(EC_KEY_set_private_key) X(EC_KEY_set_public_key) X(EC_KEY_get0_group)     \
  X(EC_KEY_check_key) X(ECDH_compute_key) X(DH_new) X(DH_free) X(DH_check)    \
  X(DH_check_pub_key) X(DH_set0_pqg) X(DH_set0_key) X(DH_get0_pqg)            \
  X(DH_get0_key) X(DH_generate_key) X(DH_generate_parameters_ex) X(DH_size)   \
  X(DH_compute_key) X(DH_compute_key_padded)

#define SW_CRYPTO_FORMS(X)                                                    \
  X(PEM_read_bio_PrivateKey) X(PEM_bytes_read_bio) X(PEM_read_bio_X509)       \
  X(PEM_write_bio_X509) X(PEM_write_bio_PUBKEY)                               \
  X(PEM_write_bio_PKCS8PrivateKey) X(PEM_write_bio_PrivateKey_traditional)    \
  X(PEM_write_bio) X(PEM_ASN1_write_bio) X(d2i_PUBKEY) X(i2d_PUBKEY)          \
  X(d2i_PrivateKey) X(d2i_PrivateKey_bio) X(d2i_PublicKey) X(i2d_PrivateKey)  \
  X(i2d_PublicKey)                                                            \
  X(d2i_PKCS8PrivateKey_bio) X(d2i_PKCS8_PRIV_KEY_INFO_bio)                   \
  X(PKCS8_PRIV_KEY_INFO_free) X(EVP_PKCS82PKEY) X(EVP_PKEY2PKCS8)             \
  X(i2d_PKCS8_PRIV_KEY_INFO) X(i2d_PKCS8PrivateKey_bio)                       \
  X(OSSL_ENCODER_CTX_new_for_pkey) X(OSSL_ENCODER_CTX_free)                   \
  X(OSSL_ENCODER_CTX_set_cipher) X(OSSL_ENCODER_CTX_set_passphrase)           \
  X(OSSL_ENCODER_to_data) X(OSSL_ENCODER_to_bio)                              \
  X(OSSL_DECODER_CTX_new_for_pkey) X(OSSL_DECODER_CTX_free)                   \
  X(OSSL_DECODER_from_data) X(NETSCAPE_SPKI_b64_decode)                       \
  X(NETSCAPE_SPKI_free) X(NETSCAPE_SPKI_verify) X(NETSCAPE_SPKI_get_pubkey)   \
  X(ASN1_STRING_get0_data) X(ASN1_STRING_length) X(ASN1_STRING_to_UTF8)       \
  X(ASN1_STRING_type) X(ASN1_STRING_print_ex) X(d2i_X509) X(i2d_X509)         \
  X(X509_free) X(X509_up_ref) X(X509_get_pubkey) X(X509_get_subject_name)     \
  X(X509_get_issuer_name) X(X509_NAME_print_ex) X(X509_NAME_entry_count)      \
  X(X509_NAME_get_entry) X(X509_NAME_ENTRY_get_object)                        \
  X(X509_NAME_ENTRY_get_data) X(X509_get_ext_d2i) X(X509_get_ext)             \
  X(X509_get_ext_by_NID) X(X509_EXTENSION_get_data) X(X509V3_EXT_print)       \
  X(X509V3_EXT_get) X(GENERAL_NAME_print) X(GENERAL_NAMES_free)               \
  X(OPENSSL_sk_num) X(OPENSSL_sk_value) X(OPENSSL_sk_pop_free)                \
  X(ASN1_OBJECT_free) X(AUTHORITY_INFO_ACCESS_free) X(X509_get_serialNumber)  \
  X(X509_get0_notBefore) X(X509_get0_notAfter) X(ASN1_TIME_print)             \
  X(ASN1_TIME_to_tm) X(X509_digest) X(X509_check_host) X(X509_check_email)    \
  X(X509_check_ip_asc) X(X509_check_issued) X(X509_check_private_key)         \
  X(X509_verify) X(X509_check_ca) X(X509_get_signature_nid)                   \
  X(X509_get0_tbs_sigalg) X(X509_ALGOR_get0) X(i2a_ASN1_OBJECT)               \
  X(X509_get0_pubkey) X(i2d_X509_PUBKEY) X(X509_get_X509_PUBKEY)

#define SW_CRYPTO(X)                                                          \
  SW_CRYPTO_BASE(X) SW_CRYPTO_DIGESTS(X) SW_CRYPTO_CIPHERS(X)                 \
  SW_CRYPTO_NUMBERS(X) SW_CRYPTO_KEYS(X) SW_CRYPTO_FORMS(X)
// clang-format on

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_CRYPTO_NAMES_H_
